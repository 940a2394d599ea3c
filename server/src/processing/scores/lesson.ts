import type { SyncAnswer } from '#connectors/contract/connector.ts'

/**
 * What an answer tells of the service itself. Null: nothing. Every service refuses an empty account or a wrong code, so only
 * refusals that another service may not give count as failures. A lost answer is a failure, too.
 */
export function lessonOf(answer: SyncAnswer): 'success' | 'failure' | null {
  switch (answer.outcome) {
    case 'approved':
      return 'success'
    case 'unknown':
    case 'not_found':
      return 'failure'
    case 'declined':
    case 'failed':
      return answer.isRetriable ? 'failure' : null
    case 'pending':
    case 'approval_required':
      return null
  }
}
