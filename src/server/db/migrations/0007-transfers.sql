-- Money between a business and its end users. Amounts are in minor units.
create table transfers (
  client_id text not null,
  transfer_id text not null,
  authorization_id text not null,
  account_id text,
  funding_account_id text,
  ledger_id text,
  type text not null,
  -- The holder of the account, as JSON.
  transfer_user text not null,
  amount bigint not null,
  description text not null,
  created text not null,
  status text not null,
  sweep_status text,
  network text not null,
  ach_class text,
  message_to_beneficiary text,
  -- What banks keep back if they return the wire: shown once they have.
  wire_return_fee bigint,
  -- When it is handed to the network; null: nothing but its status says so.
  cancellable_until text,
  failure_code text,
  failure_description text,
  metadata text,
  origination_account_id text not null,
  guarantee_decision text,
  guarantee_code text,
  guarantee_description text,
  iso_currency_code text not null,
  standard_return_window text,
  unauthorized_return_window text,
  expected_settlement_date text,
  expected_funds_available_date text,
  originator_client_id text,
  recurring_transfer_id text,
  -- A JSON array as the wire has it; null where there is no such schedule.
  sweep_schedule text,
  facilitator_fee bigint,
  network_trace_id text,
  -- Counts up with each refund, whose place it is; taking one locks the transfer's row.
  refund_count integer not null default 0,
  primary key (client_id, transfer_id)
);

create unique index transfers_authorization on transfers (client_id, authorization_id);
create index transfers_originator on transfers (client_id, originator_client_id)
  where originator_client_id is not null;

create table refunds (
  client_id text not null,
  refund_id text not null,
  transfer_id text not null,
  position integer not null,
  amount bigint not null,
  status text not null,
  failure_code text,
  failure_description text,
  ledger_id text,
  created text not null,
  network_trace_id text,
  primary key (client_id, refund_id)
);

create unique index refunds_transfer on refunds (client_id, transfer_id, position);

-- The latest event of each client. Taking a number locks the row until the commit, so that events
-- become visible in their order and without a gap.
create table bank_transfer_counters (
  client_id text primary key,
  last_event_id bigint not null
);

create table bank_transfer_events (
  client_id text not null,
  event_id bigint not null,
  timestamp text not null,
  event_type text not null,
  account_id text not null,
  bank_transfer_id text not null,
  origination_account_id text,
  bank_transfer_type text not null,
  bank_transfer_amount bigint not null,
  bank_transfer_iso_currency_code text not null,
  failure_code text,
  failure_description text,
  direction text,
  primary key (client_id, event_id)
);

create index bank_transfer_events_transfer
  on bank_transfer_events (client_id, bank_transfer_id, event_id);
