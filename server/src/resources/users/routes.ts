import { type Operation, operation } from '#platform/operation.ts'
import { Me } from './schemas.ts'
import { type Surroundings, showMe } from './show-me.ts'

const TAG = 'Users'

export function userRoutes(needs: Surroundings): Operation[] {
  return [
    operation({
      id: 'get_current_user',
      route: 'GET /users/me',
      tag: TAG,
      summary: 'Get current user',
      description:
        'The user who is signed in: their roles, what they may do, and how long the session lasts.',
      scope: 'users.me.read',
      isForUsers: true,
      concerns: 'instance',
      responses: { 200: Me },
      handler: ({ context, caller }) => showMe(context, caller, needs),
    }),
  ]
}
