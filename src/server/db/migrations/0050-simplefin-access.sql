-- Access of other programs to the accounts of a client, by the SimpleFIN protocol.
create table simplefin_access (
  client_id text not null,
  -- Also the user name of the access address.
  access_id text not null,
  name text not null,
  -- The Item whose accounts are shown; null for all Items of the client.
  item_id text,
  -- A keyed hash of the setup token; null once it is claimed.
  token_hash text,
  -- In real ms.
  token_expires_at bigint not null,
  -- A keyed hash of the password of the access address; null until the token is claimed.
  secret_hash text,
  -- JSON: the times of the requests of the last day, in real ms.
  calls text not null,
  created_at text not null,
  claimed_at text,
  used_at text,
  revoked_at text,
  primary key (client_id, access_id)
);

-- Requests do not name their client.
create unique index simplefin_access_id on simplefin_access (access_id);
create unique index simplefin_access_token on simplefin_access (token_hash);
