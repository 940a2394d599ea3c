import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { macOfRecoveryCode, newRecoveryCodes } from '../password/authenticator.ts'
import * as passwords from '../password/store.ts'
import { RecoveryCodes } from './schemas.ts'

export function recoveryCodeRoutes({ secrets }: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_recovery_codes',
      route: 'POST /auth/recovery-codes',
      tag: 'Sign-in',
      summary: 'Make new recovery codes',
      description:
        'Ten codes in place of all that you had. Each counts once, in the place of a code of your app.',
      scope: 'users.me.write',
      isForUsers: true,
      needsFreshProof: true,
      concerns: 'instance',
      shownOnce: { recovery_codes: null },
      neverStored: true,
      responses: { 201: RecoveryCodes },
      handler: ({ context, caller, once }) => {
        const codes = newRecoveryCodes()
        const macs = codes.map((code) => macOfRecoveryCode(secrets, caller.id, code))
        return inFinalTransaction(context, once, async (tx) => {
          await users.lock(tx, caller.id)
          if (!(await passwords.find(tx, caller.id))) {
            throw errors.refused(
              'set a password first: recovery codes take the place of the code that goes with it',
            )
          }
          await passwords.replaceRecoveryCodes(tx, caller.id, macs)
          const about = { type: 'recovery-codes', id: caller.id, name: caller.name }
          await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', about)
          return { type: 'recovery-codes', recovery_codes: codes } as const
        })
      },
    }),
  ]
}
