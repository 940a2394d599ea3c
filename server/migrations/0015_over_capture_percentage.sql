-- Above this, what could be captured of a large payment was more than an amount can be.
update merchant_accounts set over_capture_percentage = 1000 where over_capture_percentage > 1000;
alter table merchant_accounts
  add constraint over_capture_percentage_within_reason check (over_capture_percentage <= 1000);
