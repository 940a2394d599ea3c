import type { Connector } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { type StoredMethod, serviceMethodsOf } from '../store.ts'
import type { Tokenizer } from './request-token.ts'

/** The service that a request names. Refuses one that cannot store this payment method. */
export async function findTokenizer(
  scope: Scope,
  { providers }: Engine,
  stored: StoredMethod,
  id: string,
): Promise<Tokenizer> {
  const service = await paymentServices.find(scope, id)
  if (!service) throw wrongService('value_error.not_found', 'there is no such payment service')
  const connector = providers.connectors.find(service.payment_service_definition_id)
  const name = service.display_name
  if (!connector || !canTokenize(connector)) {
    throw wrongService('value_error.conflict', `${name} cannot store payment methods; name another service`)
  }
  const methods = serviceMethodsOf(stored)
  if (!methods.includes(service.method)) {
    const message = `${name} takes the method ${service.method}, not ${methods.join(' or ')}`
    throw wrongService('value_error.conflict', message)
  }
  if (!service.payment_method_tokenization_enabled) {
    const message = `set payment_method_tokenization_enabled of ${name} first`
    throw wrongService('value_error.conflict', message)
  }
  if (!service.active || service.status !== 'created') {
    throw wrongService('value_error.conflict', `${name} is not active`)
  }
  return { service, connector }
}

export function canTokenize(connector: Connector): connector is Tokenizer['connector'] {
  return connector.tokenize !== undefined
}

function wrongService(type: 'value_error.not_found' | 'value_error.conflict', message: string): ApiError {
  return errors.invalid(inBody('/payment_service_id', type, message))
}
