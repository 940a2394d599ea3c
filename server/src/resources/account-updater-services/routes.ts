import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { actsOf } from '#processing/service-accounts/acts.ts'
import { shapesOf } from '#processing/service-accounts/shapes.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { KIND } from './store.ts'

const operation = operationsOf({
  tag: 'Account updater services',
  concerns: 'merchant-account',
  scopes: 'account-updater-services',
})

const SHAPES = shapesOf({
  type: 'account-updater-service',
  definition: 'account_updater_service_definition_id',
  title: 'AccountUpdaterService',
  active: 'Whether the service is asked about stored cards. One service of an account can be active.',
  example: {
    id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0043',
    definition: 'mock-account-updater',
    name: 'Card updates in Europe',
    nextName: 'Card updates of the old provider',
  },
})

export function accountUpdaterServiceRoutes({
  vault,
  providers,
}: Pick<OperationNeeds, 'vault' | 'providers'>): Operation[] {
  const connectors = providers.accountUpdaters
  const acts = actsOf(KIND, SHAPES, { vault, connectors, show: (row) => SHAPES.show(row, {}) })
  return [
    operation({
      id: 'list_account_updater_services',
      route: 'GET /account-updater-services',
      summary: 'List account updater services',
      description: 'Account updater services, newest first. Deleted ones are not listed.',
      ...acts.list,
    }),

    operation({
      id: 'create_account_updater_service',
      route: 'POST /account-updater-services',
      summary: 'Create account updater service',
      description:
        'Connects your own account at a provider that knows the new details of replaced cards. Secret fields are sealed in the vault ' +
        'and never shown again. The service is active unless `active` is false. Only one can be active: a second one is answered ' +
        'with 409.',
      ...acts.create,
    }),

    operation({
      id: 'get_account_updater_service',
      route: 'GET /account-updater-services/:account_updater_service_id',
      summary: 'Get account updater service',
      ...acts.get,
    }),

    operation({
      id: 'update_account_updater_service',
      route: 'PUT /account-updater-services/:account_updater_service_id',
      summary: 'Update account updater service',
      description:
        'Fields that are left out stay as they are. An empty value clears an optional field. Questions that are open are asked with ' +
        'the new values.',
      ...acts.update,
    }),

    operation({
      id: 'delete_account_updater_service',
      route: 'DELETE /account-updater-services/:account_updater_service_id',
      summary: 'Delete account updater service',
      description:
        'No new question is asked there. Those that are open are still asked, for a day at most; then the secrets leave the vault.',
      ...acts.remove,
    }),
  ]
}
