-- When the Item's transactions were last read, and when reading them last failed.
alter table items add column transactions_updated_at text;
alter table items add column transactions_failed_at text;

-- The last webhook of an Item.
create index webhook_deliveries_latest on webhook_deliveries (client_id, item_id, sequence);

-- The public tokens of an Item whose access token ends.
create index public_tokens_item on public_tokens (client_id, item_id);
