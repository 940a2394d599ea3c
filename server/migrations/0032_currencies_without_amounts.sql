-- Services were connected with codes that are no longer accepted: withdrawn currencies, and units without a minor unit.
-- Without them, a service can be sent back as it was read. A service that takes nothing else keeps its list.
update payment_services
  set accepted_currencies = array(
    select code from unnest(accepted_currencies) with ordinality as listed (code, place)
    where code not in ('ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL')
    order by place
  )
  where accepted_currencies && array['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL']
    and not accepted_currencies <@ array['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];
