import { type Operation, operation } from '#platform/operation.ts'
import { pageParameters } from '#platform/pagination.ts'
import { Strict } from '#platform/schemas.ts'
import type { Secrets } from '#platform/secrets.ts'
import { Roles } from './schemas.ts'
import * as roles from './store.ts'

export function roleRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_roles',
      route: 'GET /roles',
      tag: 'Roles',
      summary: 'List roles',
      description:
        'The roles that an API key pair can have. A call is allowed if both the role and the token allow it.',
      scope: 'roles.read',
      concerns: 'instance',
      isList: true,
      query: Strict(pageParameters()),
      responses: { 200: Roles },
      handler: ({ context, query }) => roles.list(context, secrets, query),
    }),
  ]
}
