-- The webhooks of an Item go out one after the other: which of its due ones is first, and whether
-- one is with a process already.
create index webhook_deliveries_item on webhook_deliveries (client_id, item_id, due_at, sequence)
  where due_at is not null;
create index webhook_deliveries_claimed on webhook_deliveries (client_id, item_id, claimed_until)
  where claimed_until is not null;
