import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { Notice, Section } from '../parts/page.tsx'
import { moneyText, When } from '../parts/values.tsx'

type Dispute = Schemas['Dispute']
type Options = Schemas['DisputeEvidenceFields']
type Props = { readonly of: Dispute }

/** What was answered and how it ended, and the two ways to answer. */
export function Answer({ of: dispute }: Props) {
  const may = useMay()('transactions.write')
  const [act, setAct] = useState<'accept' | 'defend'>()
  const { data: options } = useRead('GET /disputes/{dispute_id}/evidence-fields', {
    path: { dispute_id: dispute.id },
  })
  const close = () => setAct(undefined)
  return (
    <Section
      title="Your answer"
      actions={
        may && (
          <>
            {options?.can_accept && (
              <Button tone="quiet" onClick={() => setAct('accept')}>
                Accept
              </Button>
            )}
            {options?.can_defend && (
              <Button tone="main" onClick={() => setAct('defend')}>
                Send evidence
              </Button>
            )}
          </>
        )
      }
    >
      <Standing of={dispute} options={options} />
      {act === 'accept' && <Accept of={dispute} onClose={close} />}
      {act === 'defend' && options && <SendEvidence of={dispute} options={options} onClose={close} />}
    </Section>
  )
}

function Standing({
  of: { answer, respond_by },
  options,
}: Props & { readonly options: Options | undefined }) {
  const canAnswer = options?.can_accept || options?.can_defend
  const until = respond_by && (
    <>
      It takes answers until{' '}
      <strong>
        <When at={respond_by} />
      </strong>
      .
    </>
  )
  return (
    <>
      {answer && <Given answer={answer} />}
      {canAnswer && (
        <Notice tone="wait" title={answer ? 'It can be answered again' : 'It can be answered here'}>
          {until || 'The payment service has not told a deadline.'}
        </Notice>
      )}
      {options && !canAnswer && !answer && (
        <Notice
          tone={respond_by ? 'wait' : 'mute'}
          title={respond_by ? 'Answer at the payment service' : 'Nothing can be answered here'}
        >
          {until} {sentence(options.reason)}
        </Notice>
      )}
    </>
  )
}

function Given({ answer }: { readonly answer: Schemas['DisputeAnswer'] }) {
  const { tone, title } = endOf(answer)
  return (
    <Notice tone={tone} title={title}>
      {answer.evidence.length > 0 && (
        <ul>
          {answer.evidence.map(({ name, content_type }) => (
            <li key={`${name} ${content_type}`}>
              {words(name)}
              {content_type && ` (${content_type})`}
            </li>
          ))}
        </ul>
      )}
      {answer.error_code && <>The reason: {words(answer.error_code)}. </>}
      <When at={answer.created_at} />
    </Notice>
  )
}

function endOf({ act, status }: Schemas['DisputeAnswer']) {
  const isAccepted = act === 'accept'
  if (status === 'processing') {
    const title = 'Waiting: the payment service has not said yet whether it took your answer'
    return { tone: 'wait', title } as const
  }
  if (status === 'unknown') {
    const title = 'Nobody could tell whether the payment service has your answer: look there'
    return { tone: 'bad', title } as const
  }
  if (status !== 'succeeded')
    return { tone: 'bad', title: 'The payment service did not take your answer' } as const
  return isAccepted
    ? ({ tone: 'mute', title: 'You have accepted this dispute' } as const)
    : ({ tone: 'good', title: 'Your evidence was sent' } as const)
}

type ActProps = Props & { readonly onClose: () => void }

function Accept({ of: dispute, onClose }: ActProps) {
  return (
    <Ask
      title={`Accept the dispute${priceOf(dispute)}`}
      verb="Give the money up"
      isDangerous
      says="The buyer keeps the money, and you cannot answer any more. This cannot be undone."
      send={(_body, idempotencyKey) =>
        send('POST /disputes/{dispute_id}/accept', { path: { dispute_id: dispute.id }, idempotencyKey })
      }
      outcome={(answered) => outcomeOf(answered, 'The dispute is accepted')}
      onClose={onClose}
    />
  )
}

function SendEvidence({ of: dispute, options, onClose }: ActProps & { readonly options: Options }) {
  return (
    <Ask
      title={`Answer the dispute${priceOf(dispute)}`}
      verb="Send to the bank"
      isWide
      says="The payment service passes on what you send at once. Most banks read it once: send everything together. Write no card numbers."
      fields={[
        field('rows', 'texts', 'Texts', {
          addLabel: 'Add a text',
          columns: [
            field('choice', 'name', 'What it is', {
              isRequired: true,
              options: options.texts.map(({ name }) => ({ value: name, label: words(name) })),
            }),
            field('long-text', 'text', 'Text', { isRequired: true }),
          ],
        }),
        field('rows', 'files', 'Files', {
          hint: `${defensesOf(options)}${options.content_types.map((type) => type.split('/')[1]?.toUpperCase()).join(', ')}, together up to ${(options.files_max_bytes / 1e6).toFixed(1)} MB.`,
          addLabel: 'Add a file',
          columns: [
            field('choice', 'name', 'What it is', {
              isRequired: true,
              options: options.files.map((name) => ({ value: name, label: words(name) })),
            }),
            field('file', 'file', 'File', { isRequired: true, accept: options.content_types }),
          ],
        }),
      ]}
      initial={{ texts: [{}], files: [] }}
      send={(body, idempotencyKey) =>
        send('POST /disputes/{dispute_id}/evidence', {
          path: { dispute_id: dispute.id },
          body: toEvidence(body),
          idempotencyKey,
        })
      }
      outcome={(answered) => outcomeOf(answered, 'Your evidence was sent')}
      onClose={onClose}
    />
  )
}

/** Which files go together, where the payment service says so. */
function defensesOf({ defenses }: Options): string {
  if (defenses.length === 0) return ''
  const ways = defenses.map(({ name, required, one_of, optional }) => {
    const parts = [
      ...required.map(words),
      ...(one_of.length > 0 ? [`one of ${one_of.map(words).join(', ')}`] : []),
      ...optional.map((file) => `${words(file)} (if you like)`),
    ]
    return `${words(name)}: ${parts.join(', ')}`
  })
  return `Send the files of one way to defend. ${ways.join('. ')}. `
}

type Typed = Readonly<Record<string, unknown>>
type Evidence = Schemas['DisputeEvidence']

function toEvidence({ texts, files }: Typed): Evidence {
  const rows = (files ?? []) as readonly { readonly name: string; readonly file: object }[]
  return {
    texts: (texts ?? []) as NonNullable<Evidence['texts']>,
    files: rows.map(({ name, file }) => ({ name, ...file })) as NonNullable<Evidence['files']>,
  }
}

function outcomeOf({ answer }: Dispute, done: string): Outcome {
  if (answer?.status === 'succeeded') return { kind: 'done', title: done }
  if (answer?.status === 'processing')
    return { kind: 'waiting', title: 'The payment service has not said yet whether it took your answer' }
  const reason = answer?.error_code ? `The reason: ${words(answer.error_code)}.` : undefined
  return { kind: 'refused', title: 'The payment service did not take your answer', text: reason }
}

function priceOf({ amount, currency }: Dispute): string {
  return amount === null || currency === null ? '' : ` of ${moneyText(amount, currency)}`
}

/** `shipping_date` as people write it. */
function words(name: string): string {
  const spaced = name.replaceAll('_', ' ')
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1)
}

function sentence(reason: string | null): string {
  return reason === null ? '' : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`
}
