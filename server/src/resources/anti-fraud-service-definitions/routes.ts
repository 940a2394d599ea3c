import { errors } from '../../platform/errors.ts'
import { type Operation, operation } from '../../platform/operation.ts'
import { Strict } from '../../platform/schemas.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Providers } from '../../processing/provider.ts'
import { listConnectors } from '../payment-service-definitions/list.ts'
import {
  AntiFraudServiceDefinition,
  AntiFraudServiceDefinitionFilters,
  AntiFraudServiceDefinitionId,
  AntiFraudServiceDefinitions,
} from './schemas.ts'
import { showDefinition } from './show.ts'

const Path = Strict({ anti_fraud_service_definition_id: AntiFraudServiceDefinitionId })
const TAG = 'Anti-fraud service definitions'

type Needs = { readonly secrets: Secrets; readonly providers: Providers }

export function antiFraudServiceDefinitionRoutes({ secrets, providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_anti_fraud_service_definitions',
      route: 'GET /anti-fraud-service-definitions',
      tag: TAG,
      summary: 'List anti-fraud service definitions',
      description: 'The providers that anti-fraud services can be set up with, and what each can do.',
      scope: 'anti-fraud-service-definitions.read',
      concerns: 'instance',
      isList: true,
      query: AntiFraudServiceDefinitionFilters,
      responses: { 200: AntiFraudServiceDefinitions },
      handler: async ({ query }) => {
        const name = 'anti-fraud-service-definitions'
        const page = await listConnectors(providers.antiFraud, secrets, query, name)
        return { ...page, items: page.items.map(showDefinition) }
      },
    }),

    operation({
      id: 'get_anti_fraud_service_definition',
      route: 'GET /anti-fraud-service-definitions/:anti_fraud_service_definition_id',
      tag: TAG,
      summary: 'Get an anti-fraud service definition',
      scope: 'anti-fraud-service-definitions.read',
      concerns: 'instance',
      params: Path,
      responses: { 200: AntiFraudServiceDefinition },
      handler: async ({ params }) => {
        const connector = providers.antiFraud.find(params.anti_fraud_service_definition_id)
        if (!connector) throw errors.notFound()
        return showDefinition(connector)
      },
    }),
  ]
}
