import { BYTES, breaks, ID, type RuledTable, TIME } from './ruled-table.ts'

/** The books of the simulator and of the issuer. */
export const PROVIDER_TABLES: Readonly<Record<string, RuledTable>> = {
  'simulator.entries': {
    row: {
      attempt_id: 'attempt-1',
      status: 'approved',
      operation: 'authorize',
      merchant_id: 'shop',
      reference: ID,
      requested_amount: 1299,
      amount: 1299,
      currency: 'USD',
      created_at: TIME,
      ended_at: TIME,
    },
    rules: {
      entries_attempt_id_check: breaks({ attempt_id: '' }, { attempt_id: 'a'.repeat(101) }),
      entries_status_check: breaks({ status: 'lost' }),
      entries_operation_check: breaks({ operation: 'settle' }),
      entries_requested_amount_check: breaks({ ...nothing(), requested_amount: -1 }),
      entries_check: breaks({ amount: -1 }, { amount: 1300 }),
      entries_last4_check: breaks({ last4: '12345' }, { last4: 'abcd' }),
      entries_check1: breaks(
        { status: 'closed' },
        { ...nothing(), status: 'approved' },
        { reference: null },
        { merchant_id: null },
        { amount: null },
        { currency: null },
      ),
      entries_check2: breaks({ status: 'pending' }, { ended_at: null }),
      entries_subject_check: breaks({ subject_reference: ID }, { operation: 'chargeback' }),
    },
  },
  'simulator.gift_card_entries': {
    row: {
      attempt_id: 'attempt-1',
      status: 'approved',
      operation: 'redeem',
      merchant_hash: BYTES,
      card_hash: BYTES,
      reference: ID,
      amount: 500,
      moved: 500,
      currency: 'USD',
      created_at: TIME,
    },
    rules: {
      gift_card_entries_attempt_id_check: breaks({ attempt_id: '' }, { attempt_id: 'a'.repeat(101) }),
      gift_card_entries_status_check: breaks({ status: 'lost', moved: 0 }),
      gift_card_entries_operation_check: breaks({ operation: 'settle' }),
      gift_card_entries_amount_check: breaks({ amount: -1, moved: 0 }),
      gift_card_entries_moved_check: {
        changes: [{ amount: null, moved: -1 }],
        without: ['gift_card_entries_check'],
      },
      gift_card_entries_check: breaks({ given_back: 501 }, { given_back: -1 }),
      gift_card_entries_check1: breaks(
        { status: 'closed', moved: 0 },
        { operation: null },
        { reference: null },
        { merchant_hash: null },
      ),
      gift_card_entries_check2: breaks({ code: 'declined' }, { status: 'refused', moved: 0 }),
      gift_card_entries_check3: breaks(
        { status: 'refused', code: 'declined' },
        { moved: 499 },
        { card_hash: null },
      ),
    },
  },
  'issuer.operations': {
    row: {
      program_id: ID,
      attempt_id: 'attempt-1',
      status: 'approved',
      operation: 'redeem',
      id: ID,
      amount: 500,
      currency: 'USD',
      created_at: TIME,
    },
    rules: {
      operations_attempt_id_check: breaks({ attempt_id: '' }, { attempt_id: 'a'.repeat(101) }),
      operations_status_check: breaks({ status: 'lost' }),
      operations_operation_check: breaks({ operation: 'settle' }),
      operations_amount_check: breaks({ amount: -1 }),
      operations_given_back_check: breaks({ given_back: -1 }),
      operations_check: breaks({ status: 'closed' }, { operation: null }, { id: null }),
      operations_check1: breaks({ code: 'declined' }, { status: 'refused' }),
      operations_check2: breaks(
        { given_back: 501 },
        { given_back: 1, operation: 'load' },
        { given_back: 1, status: 'refused', code: 'declined' },
      ),
    },
  },
}

/** An entry of the simulator about an attempt that never arrived. */
function nothing() {
  return {
    status: 'closed',
    operation: null,
    reference: null,
    merchant_id: null,
    amount: null,
    currency: null,
  }
}
