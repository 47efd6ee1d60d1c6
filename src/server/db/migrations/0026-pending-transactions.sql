-- Whether an account has a pending transaction, which an import asks for each of its statements.
create index transactions_pending on transactions (client_id, item_id, account_id)
  where pending = 1 and removed = 0;
