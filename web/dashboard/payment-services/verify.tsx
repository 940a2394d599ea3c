import { useRef } from 'react'
import { ApiError, send } from '../api/client.ts'
import { type Progress, useAct } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import type { Entry } from '../service-accounts/entries.ts'
import type { Definition } from './words.ts'
import '../service-accounts/service-accounts.css'

type Props = {
  readonly definition: Definition
  /** A service that is there: what it keeps fills the gaps. */
  readonly serviceId?: string
  /** What was typed. It stays in the memory of the page. */
  readonly entries: readonly Entry[]
  /** Called with the inputs that the provider refused. */
  readonly onRefusal?: (faults: Readonly<Record<string, string>>) => void
}

/** Asks the provider whether it accepts the credentials. Nothing is stored. */
export function Verify({ definition, serviceId, entries, onRefusal }: Props) {
  const { progress, send: act } = useAct<unknown>()
  const asked = useRef<readonly Entry[]>([])
  if (!definition.supported_features['verify_credentials']) return null
  const verify = () => {
    asked.current = entries
    // No key: whatever is asked, nothing changes. With one, other credentials would count as another request.
    return act(async () => {
      try {
        return await send('POST /payment-services/verify', {
          body: {
            payment_service_definition_id: definition.id,
            ...(serviceId && { payment_service_id: serviceId }),
            fields: [...entries].filter(({ value }) => value !== ''),
          },
        })
      } catch (error) {
        onRefusal?.(faultsOf(definition, refusalIn(error) ?? ''))
        throw error
      }
    })
  }
  const isAboutThese = isSame(asked.current, entries)
  return (
    <div className="checked">
      <Button disabled={progress.at === 'sending'} onClick={() => void verify()}>
        {progress.at === 'sending' ? 'Checking…' : 'Check credentials'}
      </Button>
      {isAboutThese && <Result definition={definition} progress={progress} />}
    </div>
  )
}

type ResultProps = { readonly definition: Definition; readonly progress: Progress<unknown> }

function Result({ definition, progress }: ResultProps) {
  const name = definition.display_name
  if (progress.at === 'answered')
    return (
      <Notice tone="good" title={`${name} accepts these credentials`} isNews>
        Nothing was saved or charged.
      </Notice>
    )
  if (progress.at === 'open')
    return (
      <Notice tone="wait" title={`${name} could not be reached`} isNews>
        No answer, so the credentials are neither accepted nor refused. Try again in a moment.
      </Notice>
    )
  if (progress.at !== 'refused' || !(progress.error instanceof ApiError)) return null
  const { details, message, status } = progress.error
  const refusal = refusalIn(progress.error)
  if (refusal)
    return (
      <Notice tone="bad" title={`${name} refused these credentials`} isNews>
        {inWords(definition, refusal)}.
      </Notice>
    )
  return (
    <Notice tone={status === 403 ? 'bad' : 'info'} title="The credentials cannot be checked yet" isNews>
      {details.map((detail) => detail.message).join('. ') || message}
    </Notice>
  )
}

/** How the API marks what the provider itself has refused. */
const CONFLICT = 'value_error.conflict'

/** The sentence of the provider, without ours before it. Undefined: it did not refuse. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const refusal = error.details.find(({ pointer, type }) => pointer === '/fields' && type === CONFLICT)
  return refusal?.message.replace(/^the provider rejects these credentials: /, '')
}

/** With the labels of the form instead of the keys of the API. */
function inWords({ fields }: Definition, message: string): string {
  return fields.reduce((text, { key, display_name }) => text.replaceAll(keyIn(key), display_name), message)
}

/** The fields that the refusal names, each with a sentence. */
function faultsOf({ display_name, fields }: Definition, message: string): Record<string, string> {
  const named = fields.filter(({ key }) => message.match(keyIn(key)))
  return Object.fromEntries(
    named.map((field) => [`fields.${field.key}`, `${display_name} refused this ${field.display_name}.`]),
  )
}

function keyIn(key: string): RegExp {
  return new RegExp(`\\b${key}\\b`, 'g')
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
