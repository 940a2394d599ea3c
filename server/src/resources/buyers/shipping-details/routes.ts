import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Action } from '#resources/audit-logs/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { addressComplaints } from '../details.ts'
import * as buyers from '../store.ts'
import {
  CreateShippingDetails,
  ShippingDetails,
  ShippingDetailsList,
  UpdateShippingDetails,
} from './schemas.ts'
import * as shippingDetails from './store.ts'

const operation = operationsOf({
  tag: 'Buyers: shipping details',
  concerns: 'merchant-account',
  scopes: 'buyers',
})

export const shippingDetailsRoutes: readonly Operation[] = [
  operation({
    id: 'list_buyer_shipping_details',
    route: 'GET /buyers/:buyer_id/shipping-details',
    summary: 'List shipping details',
    description: 'All shipping details of a buyer, newest first.',
    isList: true,
    responses: { 200: ShippingDetailsList },
    handler: async ({ context, reach, params }) => {
      if (!(await buyers.exists(context, reach, params.buyer_id))) throw errors.notFound()
      return { items: await shippingDetails.list(context, reach, params.buyer_id) }
    },
  }),

  operation({
    id: 'add_buyer_shipping_details',
    route: 'POST /buyers/:buyer_id/shipping-details',
    summary: 'Create shipping details',
    body: CreateShippingDetails,
    check: ({ body }) => addressComplaints('/address', body.address),
    responses: { 201: ShippingDetails },
    handler: (call) => createShippingDetails(scopeOf(call), call.once, call.params.buyer_id, call.body),
  }),

  operation({
    id: 'get_buyer_shipping_details',
    route: 'GET /buyers/:buyer_id/shipping-details/:shipping_details_id',
    summary: 'Get shipping details',
    responses: { 200: ShippingDetails },
    handler: async (call) => orNotFound(await shippingDetails.find(scopeOf(call), keyOf(call.params))),
  }),

  operation({
    id: 'update_buyer_shipping_details',
    route: 'PUT /buyers/:buyer_id/shipping-details/:shipping_details_id',
    summary: 'Update shipping details',
    description:
      'Fields that are left out stay as they are; null clears a field. The address is replaced as a whole.',
    body: UpdateShippingDetails,
    check: ({ body }) => addressComplaints('/address', body.address),
    responses: { 200: ShippingDetails },
    handler: (call) => updateShippingDetails(scopeOf(call), keyOf(call.params), call.body),
  }),

  operation({
    id: 'delete_buyer_shipping_details',
    route: 'DELETE /buyers/:buyer_id/shipping-details/:shipping_details_id',
    summary: 'Delete shipping details',
    responses: { 204: null },
    handler: (call) => deleteShippingDetails(scopeOf(call), keyOf(call.params)),
  }),
]

function keyOf(params: { buyer_id: string; shipping_details_id: string }): shippingDetails.Key {
  return { buyer_id: params.buyer_id, id: params.shipping_details_id }
}

function createShippingDetails(
  scope: Scope,
  once: Once,
  buyerId: string,
  request: CreateShippingDetails,
): Promise<Finished<ShippingDetails>> {
  return save(scope, once, 'created', async (tx) => {
    if (!(await buyers.hold(tx, buyerId))) return undefined
    return shippingDetails.insert(tx, buyerId, request)
  })
}

async function updateShippingDetails(
  scope: Scope,
  key: shippingDetails.Key,
  request: UpdateShippingDetails,
): Promise<ShippingDetails> {
  const saved = await save(scope, UNKEYED, 'updated', (tx) => shippingDetails.update(tx, key, request))
  return saved.answer
}

async function deleteShippingDetails(scope: Scope, key: shippingDetails.Key): Promise<void> {
  await save(scope, UNKEYED, 'deleted', (tx) => shippingDetails.remove(tx, key))
}

type Change = Extract<Action, 'created' | 'updated' | 'deleted'>

/** `change` returns undefined if there is nothing to change. */
async function save(
  scope: Scope,
  once: Once,
  action: Change,
  change: (tx: Scope<Tx>) => Promise<ShippingDetails | undefined>,
): Promise<Finished<ShippingDetails>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const details = orNotFound(await change(tx))
    await auditLogs.record(tx, action, {
      type: auditLogs.OF_BUYERS.shippingDetails,
      id: details.id,
      name: nameOf(details),
    })
    await events.publish(tx, [`shipping-details.${action}`], details)
    return details
  })
}

function nameOf({ id, first_name, last_name, email_address }: ShippingDetails): string {
  const fullName = [first_name, last_name].filter((part) => part !== null).join(' ')
  return fullName || email_address || id
}
