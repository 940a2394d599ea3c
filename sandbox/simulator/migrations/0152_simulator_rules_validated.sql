-- Without a transaction: payments go on while the rows are read. Each statement can be run again.
alter table simulator.entries validate constraint entries_rules;
alter table simulator.gift_card_entries validate constraint gift_card_entries_rules;
