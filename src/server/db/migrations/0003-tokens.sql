-- What `/oauth/token` has issued.
create table oauth_tokens (
  -- The client by whose clock the token expires; who may use it stands in `parties`.
  client_id text not null,
  token_id text not null,
  token_hash text not null,
  -- access or refresh
  kind text not null,
  -- The refresh token that it came from, maybe another client's: revoking that one revokes this.
  parent_id text,
  -- A JSON array of scopes.
  scopes text not null,
  -- The client ids and partner URNs that may use it, as a JSON array.
  parties text not null,
  -- The user that it stands for, and the client whose user that is.
  user_id text,
  user_client_id text,
  -- The client's time in ms.
  expires_at bigint not null,
  created_at text not null,
  revoked_at text,
  primary key (client_id, token_id)
);

-- Both begin without a client: exchanged tokens are the one thing that crosses between clients.
create unique index oauth_tokens_token on oauth_tokens (token_hash);
create index oauth_tokens_parent on oauth_tokens (parent_id);
