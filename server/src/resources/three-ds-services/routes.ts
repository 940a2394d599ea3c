import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { actsOf } from '#processing/service-accounts/acts.ts'
import { shapesOf } from '#processing/service-accounts/shapes.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { KIND } from './store.ts'

const operation = operationsOf({
  tag: '3-D Secure services',
  concerns: 'merchant-account',
  scopes: 'three-ds-services',
})

const SHAPES = shapesOf({
  type: 'three-ds-service',
  definition: 'three_ds_service_definition_id',
  title: 'ThreeDSService',
  active: 'Whether the service authenticates buyers. One service of an account can be active.',
  example: {
    id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042',
    definition: 'mock-three-ds',
    name: '3-D Secure in Europe',
    nextName: '3-D Secure of the old provider',
  },
})

export function threeDSServiceRoutes({
  vault,
  providers,
}: Pick<OperationNeeds, 'vault' | 'providers'>): Operation[] {
  const connectors = providers.threeDSecure
  const acts = actsOf(KIND, SHAPES, {
    vault,
    connectors,
    show: (row) => SHAPES.show(row, {}),
    line: providers,
  })
  return [
    operation({
      id: 'list_three_ds_services',
      route: 'GET /three-ds-services',
      summary: 'List 3-D Secure services',
      description: '3-D Secure services, newest first. Deleted ones are not listed.',
      ...acts.list,
    }),

    operation({
      id: 'create_three_ds_service',
      route: 'POST /three-ds-services',
      summary: 'Create 3-D Secure service',
      description:
        'Connects your own account at a provider of a 3-D Secure server, which asks issuers whether the buyer is the holder of the ' +
        'card. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only ' +
        'one can be active: a second one is answered with 409. Some providers are asked whether they accept the credentials: ' +
        'those that they reject are answered with 400.',
      ...acts.create,
    }),

    operation({
      id: 'get_three_ds_service',
      route: 'GET /three-ds-services/:three_ds_service_id',
      summary: 'Get 3-D Secure service',
      ...acts.get,
    }),

    operation({
      id: 'update_three_ds_service',
      route: 'PUT /three-ds-services/:three_ds_service_id',
      summary: 'Update 3-D Secure service',
      description: 'Fields that are left out stay as they are. An empty value clears an optional field.',
      ...acts.update,
    }),

    operation({
      id: 'delete_three_ds_service',
      route: 'DELETE /three-ds-services/:three_ds_service_id',
      summary: 'Delete 3-D Secure service',
      description:
        'Later payments are made without it, and its secrets leave the vault once no buyer can be approving a payment that it has ' +
        'begun to authenticate.',
      ...acts.remove,
    }),
  ]
}
