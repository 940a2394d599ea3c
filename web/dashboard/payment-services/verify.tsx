import { useRef } from 'react'
import { ApiError, send } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { type Progress, useAct } from '../parts/use-act.ts'
import type { Entry } from '../service-accounts/entries.ts'
import '../service-accounts/service-accounts.css'
import type { Definition } from './words.ts'

type Props = {
  readonly definition: Definition
  /** A service that is there: what it keeps fills the gaps. */
  readonly serviceId?: string
  /** What was typed. It stays in the memory of the page. */
  readonly entries: readonly Entry[]
}

/** Asks the provider whether it accepts the credentials. Nothing is stored. */
export function Verify({ definition, serviceId, entries }: Props) {
  const { progress, send: act } = useAct<unknown>()
  const asked = useRef<readonly Entry[]>([])
  if (!definition.supported_features['verify_credentials']) return null
  const verify = () => {
    asked.current = entries
    // No key: whatever is asked, nothing changes. With one, other credentials would count as another request.
    return act(() =>
      send('POST /payment-services/verify', {
        body: {
          payment_service_definition_id: definition.id,
          ...(serviceId && { payment_service_id: serviceId }),
          fields: [...entries].filter(({ value }) => value !== ''),
        },
      }),
    )
  }
  const isAboutThese = isSame(asked.current, entries)
  return (
    <div className="checked">
      <Button disabled={progress.at === 'sending'} onClick={() => void verify()}>
        {progress.at === 'sending' ? 'Asking the provider…' : 'Check the credentials'}
      </Button>
      {isAboutThese && <Result name={definition.display_name} progress={progress} />}
    </div>
  )
}

function Result({ name, progress }: { readonly name: string; readonly progress: Progress<unknown> }) {
  if (progress.at === 'answered')
    return (
      <Notice tone="good" title={`${name} accepts these credentials`} isNews>
        Nothing was stored or paid.
      </Notice>
    )
  if (progress.at === 'open')
    return (
      <Notice tone="wait" title={`${name} could not be asked`} isNews>
        It gave no answer, so the credentials are neither accepted nor refused. Try again in a moment.
      </Notice>
    )
  if (progress.at !== 'refused' || !(progress.error instanceof ApiError)) return null
  const { details, message, status } = progress.error
  const refusal = details.find(({ pointer, type }) => pointer === '/fields' && type === CONFLICT)
  if (refusal)
    return (
      <Notice tone="bad" title={`${name} refuses these credentials`} isNews>
        {reasonIn(refusal.message)}
      </Notice>
    )
  return (
    <Notice tone={status === 403 ? 'bad' : 'info'} title="They cannot be checked like this" isNews>
      {details.map((detail) => detail.message).join('. ') || message}
    </Notice>
  )
}

/** How the API marks what the provider itself has refused. */
const CONFLICT = 'value_error.conflict'

/** The sentence of the provider, without ours before it. */
function reasonIn(message: string): string {
  return message.replace(/^the provider rejects these credentials: /, '')
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
