-- Link tokens: by one of them a user links an Item, or authorizes one again.
create table link_tokens (
  client_id text not null,
  token_hash text not null,
  -- Encrypted: the webhook about the end of a session names the token.
  link_token text not null,
  -- A keyed hash of what the address of its page ends with.
  page_hash text not null,
  created_at text not null,
  -- In ms by the client's clock, as the one that follows.
  expires_at bigint not null,
  page_expires_at bigint not null,
  client_name text not null,
  language text not null,
  -- JSON arrays.
  country_codes text not null,
  products text not null,
  optional_products text not null,
  webhook text,
  institution_id text,
  -- JSON; null where all accounts can be shared.
  account_filters text,
  days_requested integer not null,
  redirect_uri text,
  -- Of the update flow.
  item_id text,
  -- One of `/user/create`.
  user_id text,
  -- Encrypted JSON: what the client knows of the user.
  user_data text,
  -- JSON.
  identity_verification text,
  primary key (client_id, token_hash)
);

create unique index link_tokens_page on link_tokens (client_id, page_hash);
-- Expired ones, which are deleted.
create index link_tokens_expired on link_tokens (client_id, expires_at);

-- Each time that a user began to link.
create table link_sessions (
  client_id text not null,
  token_hash text not null,
  link_session_id text not null,
  -- Tells apart those that began in the same second.
  sequence bigint not null,
  started_at text not null,
  finished_at text,
  -- SUCCESS or EXITED; null while the session goes on.
  status text,
  -- Why the user left, as a key of the catalogue.
  exit_error text,
  -- JSON: the institution that the user chose.
  institution text,
  -- JSON.
  events text not null,
  -- Encrypted JSON: it holds public tokens.
  results text,
  primary key (client_id, token_hash, link_session_id)
);

-- The sessions of a token in their order.
create index link_sessions_order on link_sessions (client_id, token_hash, sequence);
