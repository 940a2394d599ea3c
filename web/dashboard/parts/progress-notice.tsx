import { ApiError } from '../api/client.ts'
import { Notice } from './notice.tsx'
import { RequestId } from './request-id.tsx'
import type { Progress } from './use-act.ts'

/** Nothing was sent, because what the act is about has changed. */
export class Changed extends Error {}

/** How the sending goes: waiting is not failing, and a refusal names its reason. */
export function ProgressNotice<Answer>({
  progress,
  others = [],
}: {
  readonly progress: Progress<Answer>
  readonly others?: readonly string[] | undefined
}) {
  if (progress.at === 'open')
    return (
      <Notice tone="wait" title="Waiting: we do not know yet whether this was done" isNews>
        {progress.error.status === 0 ? 'No answer arrived.' : 'The server cannot answer right now.'} Ask
        again: it is the same request, so nothing happens twice.
        <Traced error={progress.error} />
      </Notice>
    )
  if (progress.at !== 'refused' || progress.error instanceof Changed) return null
  const { error } = progress
  if (!(error instanceof ApiError))
    return <Notice tone="bad" title="Something went wrong. Nothing was sent." isNews />
  return (
    <Notice
      tone="bad"
      title={error.status === 403 ? 'You are not allowed to do this' : 'Nothing was changed'}
      isNews
    >
      {others.length > 0 ? others.join('. ') : error.details.length === 0 && error.message}
      <Traced error={error} />
    </Notice>
  )
}

function Traced({ error: { requestId } }: { readonly error: ApiError }) {
  return requestId === null ? null : <RequestId value={requestId} isShort />
}
