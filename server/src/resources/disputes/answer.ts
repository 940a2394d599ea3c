import type { Defense, DisputeAnswers, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { answerUnkeyed, type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { laterThan } from '#platform/process/clock.ts'
import { askInTimeBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { concludeHeld, concludeLate } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { mayInquire } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import { NO_DEFENSE, readEvidence, reasonAgainst, refuseAnswer } from './check-answer.ts'
import * as kept from './evidence.ts'
import { ANSWERING, askToAnswer, lockDispute, named, resolveAnswer } from './resolve.ts'
import { type Dispute, type DisputeEvidence, type DisputeEvidenceFields, toDispute } from './schemas.ts'
import type { DisputeAnswer, StoredDispute } from './store.ts'
import * as disputes from './store.ts'

type Given = { readonly id: string; readonly act: DisputeAnswer['act']; readonly evidence?: DisputeEvidence }

/** Answers a dispute at its payment service: first commit, ask, second commit. */
export async function answerDispute(
  scope: Scope,
  once: Once,
  engine: Engine,
  { id, act, evidence: given }: Given,
): Promise<Finished<Dispute>> {
  if (once.begun) return resume(scope, once, engine, { id, attemptId: once.begun })
  const found = orNotFound(await disputes.find(scope, id))
  const link = await linkTo(scope, engine, found.payment_service_id, null)
  const answers = link?.connector.manifest.disputeAnswers
  refuseAnswer(act, found, answers, scope.clock)
  if (!link || !answers) throw new Error('a dispute without a connector takes an answer')
  const evidence =
    act === 'accept' ? [] : readEvidence(given ?? {}, await takenFor(engine, link, answers, found))
  const prepared = { found, act, evidence, answers, connector: link.connector }
  const { attempt, dispute, answer } = await askInTimeBetweenCommits(scope, engine, {
    begin: (tx) => begin(tx, once, engine, prepared),
    ask: (begun) => askToAnswer(scope, engine, { ...begun, link, evidence, isRepeated: false }),
    concludeLate: (begun, late) =>
      concludeLate(scope, engine, ANSWERING, { attempt: begun.attempt, answer: late }),
  })
  return inFinalTransaction(scope, once, async (tx) => {
    const concluded = await concludeHeld(tx, engine, ANSWERING, { attempt, answer })
    return toDispute(concluded.subject)
  }).catch((error: unknown) => answerUnkeyed(once, error, toDispute(dispute)))
}

type Prepared = {
  readonly found: StoredDispute
  readonly act: DisputeAnswer['act']
  readonly evidence: readonly Evidence[]
  readonly answers: DisputeAnswers
  readonly connector: Connector
}

/** The first commit: the answer is on record before the payment service hears it. Of two answers at once, the second is refused here. */
async function begin(
  tx: Scope<Tx>,
  once: Once,
  { providers, secrets }: Engine,
  { found, act, evidence, answers, connector }: Prepared,
) {
  const before = await lockDispute(tx, found)
  refuseAnswer(act, before, answers, tx.clock)
  const now = laterThan(before, tx.clock())
  const attemptId = newId(tx.clock().getTime())
  const at = now.toISOString()
  const answer: DisputeAnswer = {
    attempt_id: attemptId,
    act,
    stage: before.stage,
    status: 'processing',
    error_code: null,
    evidence: evidence.map(sizeOf),
    created_at: at,
    updated_at: at,
  }
  const dispute = { ...before, answer, updated_at: now }
  await disputes.update(tx, dispute)
  // What this one takes the place of is not sent any more.
  if (before.answer) await kept.remove(tx, before.answer.attempt_id)
  if (evidence.length > 0) await kept.keep(tx, secrets, { attemptId, disputeId: dispute.id, evidence })
  const attempt = await attempts.send(tx, lineTo(providers, connector, 'answerDispute'), {
    id: attemptId,
    kind: 'answer-dispute',
    subject_id: dispute.id,
    service_id: dispute.payment_service_id,
    amount: 0,
  })
  await auditLogs.record(tx, 'created', named(dispute))
  await once.begin(tx, attemptId)
  return { attempt, dispute }
}

function sizeOf(item: Evidence): DisputeAnswer['evidence'][number] {
  return 'text' in item
    ? { name: item.name, content_type: null, bytes: Buffer.byteLength(item.text) }
    : { name: item.name, content_type: item.contentType, bytes: item.content.length }
}

type Begun = { readonly id: string; readonly attemptId: string }

/** Continues an answer whose process died, for a caller who retries with the same key. */
async function resume(
  scope: Scope,
  once: Once,
  engine: Engine,
  { id, attemptId }: Begun,
): Promise<Finished<Dispute>> {
  const attempt = await attempts.find(scope, attemptId)
  if (attempt && mayInquire(attempt, scope.clock)) await resolveAnswer(scope, engine, attempt)
  return inFinalTransaction(scope, once, async (tx) => toDispute(orNotFound(await disputes.find(tx, id))))
}

type Linked = NonNullable<Awaited<ReturnType<typeof linkTo>>>
type Taken = { readonly answers: DisputeAnswers; readonly defenses: readonly Defense[] | null }

/** What the payment service takes for this dispute. Most take the same for all: then nobody is asked. */
async function takenFor(
  { providers }: Engine,
  link: Linked,
  answers: DisputeAnswers,
  { external_identifier: dispute }: StoredDispute,
): Promise<Taken> {
  const { disputeFields } = link.connector
  if (!disputeFields || dispute === null) return { answers, defenses: null }
  const line = lineTo(providers, link.connector, 'answerDispute')
  const told = await askProvider(line, disputeFields, { dispute }, link)
  if (told.outcome === 'unknown') throw errors.unavailable()
  const { defenses } = told
  const files = defenses.flatMap(({ required, oneOf, optional }) => [...required, ...oneOf, ...optional])
  return { answers: { ...answers, files: [...new Set(files)] }, defenses }
}

/** What the payment service takes as evidence, and whether it does now. */
export async function showEvidenceFields(
  scope: Scope,
  engine: Engine,
  id: string,
): Promise<DisputeEvidenceFields> {
  const dispute = orNotFound(await disputes.find(scope, id))
  const link = await linkTo(scope, engine, dispute.payment_service_id, null)
  const rows = link?.connector.manifest.disputeAnswers
  const against = (act: DisputeAnswer['act']) => reasonAgainst(act, dispute, rows, scope.clock)
  const taken =
    link && rows && against('defend') === undefined ? await takenFor(engine, link, rows, dispute) : undefined
  const answers = taken?.answers ?? rows
  const defenses = taken?.defenses ?? []
  const reason = against('defend') ?? (taken?.defenses?.length === 0 ? NO_DEFENSE : null)
  return {
    type: 'dispute-evidence-fields',
    dispute_id: dispute.id,
    can_accept: against('accept') === undefined,
    can_defend: reason === null,
    reason,
    texts: Object.entries(answers?.texts ?? {}).map(([name, max_length]) => ({ name, max_length })),
    texts_max_length: answers?.textsMax ?? 0,
    files: [...(answers?.files ?? [])],
    content_types: [...(answers?.contentTypes ?? [])],
    defenses: defenses.map(({ name, required, oneOf, optional }) => ({
      name,
      required: [...required],
      one_of: [...oneOf],
      optional: [...optional],
    })),
    file_max_bytes: answers?.fileBytesMax ?? 0,
    files_max_bytes: answers?.filesBytesMax ?? 0,
  }
}
