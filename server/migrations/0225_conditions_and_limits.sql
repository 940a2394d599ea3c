-- The contract takes any percentage. Captures stay below the highest amount all the same.
alter table merchant_accounts drop constraint over_capture_percentage_within_reason;

-- The contract takes any text as the card number of a scenario. One that is no card number is shown as `****`.
alter table three_ds_scenarios
  drop constraint three_ds_scenarios_card_masked_check,
  add constraint three_ds_scenarios_card_masked_check check (card_masked ~ '^([0-9]{6,8}[*]{3,}[0-9]{4}|[*]{4})$');
