import type { DueMessage, Simulation } from '#connectors/contract/simulation.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { failTogether, type Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { type Line, readWhole } from '#processing/provider.ts'
import { openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import { type Takers, takeServiceMessage } from '#resources/payment-services/notifications/take.ts'
import { KIND, listOf, type WorkingService } from '#resources/payment-services/store.ts'

type Needs = { readonly context: Context; readonly engine: Engine }
type Simulator = { readonly definitionId: string; readonly simulation: Simulation }

/**
 * Simulators do not reach us over the network. So this job fetches the notifications that they would send, and takes them
 * as if they had arrived. In production there are no simulators.
 */
export function simulatedNotificationJob(takers: Takers): Job<Needs> {
  return {
    name: 'deliver-simulated-notifications',
    everyMs: 5_000,
    nextDueAt: async ({ context, engine }) => {
      const simulators = simulatorsIn(engine)
      return firstOf(
        await Promise.all(simulators.map((simulator) => nextMessageAt(context, engine, simulator))),
      )
    },
    run: async ({ context, engine }, stopping) => {
      const failures: unknown[] = []
      for (const simulator of simulatorsIn(engine)) {
        if (stopping.aborted) break
        await deliver(context, { engine, takers }, simulator).catch((error: unknown) => failures.push(error))
      }
      failTogether(failures)
    },
  }
}

function simulatorsIn({ providers }: Engine): Simulator[] {
  return providers.connectors.list.flatMap(({ manifest, simulation }) =>
    simulation ? [{ definitionId: manifest.id, simulation }] : [],
  )
}

type Sent = {
  readonly due: DueMessage
  readonly link: Parameters<Simulation['dueMessages']>[0]
  isTaken: boolean
}

/** Several services may share an account at the provider. A message is taken when one of them knows its subject. */
async function deliver(
  context: Context,
  desk: { readonly engine: Engine; readonly takers: Takers },
  { definitionId, simulation }: Simulator,
): Promise<void> {
  const next = await nextMessageAt(context, desk.engine, { definitionId, simulation })
  if (!next || next > context.clock()) return
  const all = new Map<string, Sent>()
  const failures: unknown[] = []
  for (const service of await listOf(context, [definitionId])) {
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    const take = async () => {
      const link = await linkTo(scope, desk.engine, service)
      if (!link) return
      for (const due of await simulation.dueMessages(link)) {
        const sent = all.get(due.id) ?? { due, link, isTaken: false }
        all.set(due.id, sent)
        if (sent.isTaken) continue
        const taking = takeServiceMessage(scope, desk, { service, message: due.message })
        const answer = await taking.catch((error: unknown) => void failures.push(error))
        sent.isTaken = answer?.outcome === 'taken'
      }
    }
    // A service whose account the simulator refuses holds up no other.
    await take().catch((error: unknown) => failures.push(error))
  }
  for (const { due, link, isTaken } of all.values()) await simulation.noteSent({ id: due.id, isTaken }, link)
  failTogether(failures)
}

/**
 * When there is something for a service that exists. A message for the account of a deleted service is never taken, so it
 * must not hold up the clock of the sandbox. An account that the simulator refuses has no messages.
 */
async function nextMessageAt(
  context: Context,
  { providers: { fetch } }: Engine,
  { definitionId, simulation }: Simulator,
): Promise<Date | null> {
  const services = await listOf(context, [definitionId])
  const accounts = new Map(services.map(({ fields }) => [JSON.stringify(fields), fields]))
  const times = [...accounts.values()].map((fields) =>
    simulation.nextMessageAt({ fetch: readBy(fetch), fields }).catch(() => null),
  )
  return firstOf(await Promise.all(times))
}

function firstOf(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (first && (!time || first < time) ? first : time), null)
}

async function linkTo(scope: Scope, { vault, providers }: Engine, service: WorkingService) {
  const fields = await openFields(scope, vault, service, KIND).catch(unlessGone)
  return fields && { fetch: readBy(providers.fetch), fields }
}

function readBy(fetch: Line['fetch']) {
  return async (url: string, init?: RequestInit) => readWhole(await fetch(url, init))
}
