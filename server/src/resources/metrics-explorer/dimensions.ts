import type { FilterName, Module } from './schemas.ts'

/** A field of payments to group and to filter by. */
export type Dimension = {
  readonly type: 'text' | 'boolean' | 'uuid' | 'jsonb'
  /** How a payment `t` and its document `d` tell it. */
  readonly raw: string
  readonly isInDocument?: true
}

const text = (raw: string): Dimension => ({ type: 'text', raw })
const flag = (raw: string): Dimension => ({ type: 'boolean', raw })
const inDocument = (raw: string, type: Dimension['type'] = 'text'): Dimension => ({
  type,
  raw,
  isInDocument: true,
})

const PROOF = `t.outcome #> '{three_d_secure,response_data}'`

/** The outcome of 3-D Secure in one word. Null without 3-D Secure. */
const AUTHENTICATION_OUTCOME = `
  case t.outcome #>> '{three_d_secure,status}'
    when 'complete' then
      case ${PROOF} ->> 'authentication_response' when 'Y' then 'authenticated' when 'A' then 'attempted' else 'unavailable' end
    when 'declined' then 'failed'
    when 'cancelled' then 'cancelled'
    when 'error' then 'error'
    when 'setup_error' then 'error'
    else case when jsonb_typeof(t.outcome -> 'three_d_secure') = 'object' then 'abandoned' end
  end`

/** Schemes shift the liability to the issuer for these indicators: full proof (05, 02), and an attempt (06, 01). */
const LIABILITY_SHIFTED = `
  case when jsonb_typeof(t.outcome -> 'three_d_secure') = 'object' then
    coalesce(lpad(${PROOF} ->> 'eci', 2, '0') in ('05', '06', '02', '01'), false)
  end`

/**
 * Everything that can be asked about, by the name of its filter. Statements take names and expressions from
 * here alone, never from a request.
 */
export const DIMENSIONS: Readonly<Record<FilterName, Dimension>> = {
  authentication_outcome: text(AUTHENTICATION_OUTCOME),
  authorized: flag(`t.status not in ('authorization_declined', 'authorization_failed')`),
  country: text('t.country'),
  currency: text('t.currency'),
  error_code: text('t.error_code'),
  instrument_type: inDocument(`coalesce(t.outcome ->> 'instrument_type', d.document ->> 'instrument_type')`),
  is_subsequent_payment: flag('t.is_subsequent_payment'),
  liability_shifted: flag(LIABILITY_SHIFTED),
  merchant_initiated: flag('t.merchant_initiated'),
  metadata: inDocument(`nullif(nullif(d.document -> 'metadata', 'null'), '{}')`, 'jsonb'),
  method: text('t.method'),
  payment_method_bin: text('t.payment_method_bin'),
  payment_method_card_issuer_name: inDocument(`d.document #>> '{payment_method,details,card_issuer_name}'`),
  payment_method_card_type: inDocument(`d.document #>> '{payment_method,details,card_type}'`),
  payment_method_country: text('t.payment_method_country'),
  payment_method_scheme: text('t.payment_method_scheme'),
  payment_service_id: { type: 'uuid', raw: 't.payment_service_id' },
  payment_source: text('t.payment_source'),
  raw_response_code: text(`t.outcome ->> 'raw_response_code'`),
  rule_id_route_transaction: inDocument(`d.document #>> '{flow,rule_ids,route}'`),
  rule_id_skip_3ds: inDocument(`d.document #>> '{flow,rule_ids,three_d_secure}'`),
  rule_variant_id: inDocument(`d.document #>> '{flow,variant_id}'`),
  three_d_secure_auth_resp: text(`${PROOF} ->> 'authentication_response'`),
  three_d_secure_eci: text(`${PROOF} ->> 'eci'`),
  three_d_secure_method: text(`t.outcome #>> '{three_d_secure,method}'`),
}

/** The fields that modules group by, where they have another name. */
const BY_MODULE: Readonly<Partial<Record<Module, FilterName>>> = {
  payment_service: 'payment_service_id',
  rule_route_transaction: 'rule_id_route_transaction',
  rule_skip_3ds: 'rule_id_skip_3ds',
}

export function dimensionOf(module: Module): FilterName {
  return BY_MODULE[module] ?? (module as FilterName)
}
