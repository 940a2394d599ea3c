import type { AccountUpdaterConnector, UpdaterScheme } from '#connectors/contract/account-updater.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionActsOf } from '#processing/service-accounts/acts.ts'

const operation = operationsOf({
  tag: 'Account updater service definitions',
  scope: 'account-updater-service-definitions.read',
  concerns: 'instance',
})

const knows = (scheme: UpdaterScheme, name: string) => ({
  isIn: ({ schemes }: AccountUpdaterConnector) => schemes.includes(scheme),
  description: `Whether it can be asked about cards of ${name}.`,
})

export function accountUpdaterServiceDefinitionRoutes({
  providers,
}: {
  readonly providers: Providers
}): Operation[] {
  const acts = definitionActsOf(providers.accountUpdaters, {
    type: 'account-updater-service-definition',
    title: 'AccountUpdaterService',
    about: 'The schemes whose cards it knows. Other cards are not sent to it.',
    features: {
      amex: knows('amex', 'American Express'),
      discover: knows('discover', 'Discover'),
      mastercard: knows('mastercard', 'Mastercard'),
      visa: knows('visa', 'Visa'),
    },
    example: {
      id: 'mock-account-updater',
      display_name: 'Mock account updater',
      supported_features: { amex: true, discover: true, mastercard: true, visa: true },
    },
  })
  return [
    operation({
      id: 'list_account_updater_service_definitions',
      route: 'GET /account-updater-service-definitions',
      summary: 'List account updater service definitions',
      description:
        'The providers for which an account updater service can be created, and the schemes that each knows.',
      ...acts.list,
    }),

    operation({
      id: 'get_account_updater_service_definition',
      route: 'GET /account-updater-service-definitions/:account_updater_service_definition_id',
      summary: 'Get account updater service definition',
      ...acts.get,
    }),
  ]
}
