-- In ms by the client's clock; null for those of earlier programs, which do not expire.
alter table public_tokens add column expires_at bigint;

-- Expired ones, which are deleted.
create index public_tokens_expired on public_tokens (client_id, expires_at);
