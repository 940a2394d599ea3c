-- The tokens that payment services give for stored payment methods. The vault keeps the tokens themselves. A row shares its
-- id with the attempt that asks for the token.
create table payment_service_tokens (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  payment_method_id uuid not null references payment_methods,
  payment_service_id uuid not null references payment_services,
  status text not null check (status in ('processing', 'buyer_approval_required', 'succeeded', 'failed')),
  -- The token by which its payment method was stored. The method has the status of this token.
  is_first boolean not null default false,
  -- Where the buyer returns after an approval.
  redirect_url text not null,
  approval_url text,
  approval_expires_at timestamptz(3),
  -- Kept until the provider has deleted the token, too.
  vault_token uuid,
  error_code text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  constraint succeeded_with_token check (status <> 'succeeded' or deleted_at is not null or vault_token is not null),
  constraint approval_has_an_end check ((approval_url is null) = (approval_expires_at is null)),
  constraint approval_only_while_asked check (approval_url is null or status = 'buyer_approval_required')
);
-- One token of a method at each service. A failed one can be asked for again.
create unique index payment_service_tokens_one_at_a_service on payment_service_tokens (payment_method_id, payment_service_id)
  where deleted_at is null and status <> 'failed';
create index payment_service_tokens_by_method on payment_service_tokens (payment_method_id, created_at desc, id desc)
  where deleted_at is null;
create index payment_service_tokens_to_expire on payment_service_tokens (approval_expires_at)
  where approval_expires_at is not null;
