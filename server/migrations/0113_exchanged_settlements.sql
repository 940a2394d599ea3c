-- What has arrived of payments and refunds that are settled in another currency, in their own currency. With each new line, it is
-- compared with what should arrive, without a look at all earlier lines.
create table exchanged_settlements (
  merchant_account_id text not null,
  -- A payment, or a refund.
  id uuid not null,
  -- The sum of the amounts that buyers paid, or got back: then below zero.
  amount bigint not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
insert into exchanged_settlements (merchant_account_id, id, amount)
select line.merchant_account_id, coalesce(line.refund_id, line.transaction_id),
  sum(coalesce(line.original_amount, line.amount))
from payment_service_report_lines as line
join transactions as payment on payment.merchant_account_id = line.merchant_account_id and payment.id = line.transaction_id
where line.kind in ('settlement', 'refund_settlement') and line.currency <> payment.currency
group by 1, 2;
