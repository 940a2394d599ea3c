-- How the pages for buyers look in a merchant account. An account without a row has the usual look.
create table merchant_account_themes (
  merchant_account_id text primary key references merchant_accounts,
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  accent_color_dark text check (accent_color_dark ~ '^#[0-9a-f]{6}$'),
  radius text check (radius in ('none', 'small', 'medium', 'large')),
  font text check (font in ('geist', 'system', 'humanist', 'rounded', 'serif', 'mono')),
  logo bytea check (length(logo) between 1 and 102400),
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256 of the logo. It is part of the logo's address, so that browsers can keep the picture for ever.
  logo_digest text check (logo_digest ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((logo is null) = (logo_media_type is null) and (logo is null) = (logo_digest is null))
);
