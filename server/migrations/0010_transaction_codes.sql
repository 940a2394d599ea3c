-- A stored card that waits for the buyer's approval needs no number kept for it, but the code that came with the payment.
alter table transaction_cards
  alter column number_token drop not null,
  alter column card drop not null,
  add check ((number_token is null) = (card is null)),
  add check (number_token is not null or security_code_token is not null);
