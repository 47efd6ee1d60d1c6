-- When a webhook got its last attempt, in real ms; null while one is planned. It is kept for a
-- while from then on.
alter table webhook_deliveries add column ended_at bigint;

-- What may go: webhooks that get no more attempts, in the order of the list, and expired tokens.
create index webhook_deliveries_ended on webhook_deliveries (client_id, sequence, ended_at)
  where due_at is null;
create index oauth_tokens_expiry on oauth_tokens (client_id, expires_at);

-- Many webhooks are due in the same second. In the order in which they go out, a first few of them
-- are found without a look at the others.
drop index webhook_deliveries_endpoint;
create index webhook_deliveries_endpoint on webhook_deliveries (url, due_at, sequence)
  where due_at is not null;
drop index webhook_deliveries_client;
create index webhook_deliveries_client on webhook_deliveries (client_id, due_at, sequence)
  where due_at is not null;
