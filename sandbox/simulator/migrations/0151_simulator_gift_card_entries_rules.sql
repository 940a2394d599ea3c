-- The rules of gift card entries, as those of entries (0150).
create domain simulator.gift_card_entries_rules as simulator.gift_card_entries
  constraint gift_card_entries_attempt_id_check check (length((value).attempt_id) between 1 and 100)
  constraint gift_card_entries_status_check check ((value).status in ('approved', 'refused', 'closed'))
  constraint gift_card_entries_operation_check check (
    (value).operation in ('redeem', 'refund', 'reverse', 'activate'))
  constraint gift_card_entries_amount_check check ((value).amount >= 0)
  constraint gift_card_entries_moved_check check ((value).moved >= 0)
  constraint gift_card_entries_check check ((value).given_back >= 0 and (value).given_back <= (value).moved)
  constraint gift_card_entries_check1 check (
    ((value).status = 'closed') = ((value).operation is null)
    and ((value).operation is null) = ((value).reference is null)
    and ((value).operation is null) = ((value).merchant_hash is null))
  constraint gift_card_entries_check2 check (((value).status = 'refused') = ((value).code is not null))
  constraint gift_card_entries_check3 check (
    (value).moved = 0
    or ((value).status = 'approved' and (value).moved = (value).amount and (value).card_hash is not null));
alter table simulator.gift_card_entries
  drop constraint gift_card_entries_attempt_id_check,
  drop constraint gift_card_entries_status_check,
  drop constraint gift_card_entries_operation_check,
  drop constraint gift_card_entries_amount_check,
  drop constraint gift_card_entries_moved_check,
  drop constraint gift_card_entries_check,
  drop constraint gift_card_entries_check1,
  drop constraint gift_card_entries_check2,
  drop constraint gift_card_entries_check3,
  add constraint gift_card_entries_rules check (gift_card_entries::simulator.gift_card_entries_rules is distinct from null) not valid;
