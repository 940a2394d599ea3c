import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReportLine } from '#connectors/contract/reports.ts'
import { toTarget } from '#payments/show.ts'
import { markOf } from '#payments/store/marks.ts'
import * as transactions from '#payments/store/payments.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import * as files from '../files/store.ts'
import * as reports from '../store.ts'
import { takeDispute } from '../take-dispute.ts'
import { applyFile, canFollow, firstBatch, type Taking, takeTurn } from './apply-file.ts'

describe('applying a file', () => {
  let service: TestService
  let till: Till
  let desk: ReportDesk
  beforeAll(async () => {
    service = await startTestService()
    till = openTill(service)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    desk = await ReportDesk.open(service)
  })

  async function capture(amount = 1_000) {
    const paid = await till.pay({ amount, intent: 'capture' })
    return {
      id: paid.id as string,
      reference: paid.payment_service_transaction_id as string,
      serviceId: (paid.payment_service as { id: string }).id,
    }
  }

  /** Lines about no payment, so that others are in another batch. */
  const filling = (count: number) =>
    Array.from({ length: count }, () => ({ kind: 'other', reference: null, amount: -1 }) as const)

  const NO_PAYMENT: ReportLine = {
    type: 'line',
    number: 0,
    kind: 'other',
    id: null,
    reference: null,
    ourReference: null,
    amount: -1,
    currency: 'USD',
    commission: 0,
    interchange: null,
    markup: null,
    schemeFee: null,
    original: null,
    exchangeRate: null,
    postedAt: new Date(),
    code: null,
    reason: null,
  }

  async function lastFile() {
    const { rows } = await sql<{ id: string; status: string; lines_done: number; unmatched_count: number }>`
    select id, status, lines_done, unmatched_count from payment_service_report_files order by id desc limit 1
  `.execute(service.context.db)
    return rows[0]
  }

  async function reasonsIn(fileId: string | undefined) {
    const { rows } = await sql<{ line_number: number; because: string }>`
    select line_number, unmatched_because as because from payment_service_report_lines
    where file_id = ${fileId} and unmatched_because is not null order by line_number
  `.execute(service.context.db)
    return rows
  }

  test('a line that the connector cannot read is told, and the others are booked', async () => {
    const paid = await capture()
    const strange = { kind: 'other', reference: paid.reference, amount: 488, code: 'unreadable' } as const
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }, strange] })

    await desk.ingest()

    const file = await lastFile()
    expect(file).toMatchObject({ status: 'applied', unmatched_count: 1 })
    expect(await reasonsIn(file?.id)).toMatchObject([{ because: 'unreadable' }])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })

  test('lines that a newer connector can read are applied then, and the others stay as they are', async () => {
    const [paid, other] = [await capture(), await capture()]
    const lines = [
      { reference: paid.reference, amount: 1_000, commission: 20, code: 'new' },
      { reference: other.reference, amount: 1_000, commission: 20 },
      { kind: 'other', reference: 'transfer', amount: -7, code: 'new' },
      { kind: 'other', reference: 'riddle', amount: 5, code: 'newest' },
    ] as const
    const unread = (line: ReportLine): ReportLine =>
      line.code?.startsWith('new')
        ? {
            ...line,
            kind: 'other',
            id: null,
            amount: line.amount - line.commission,
            commission: 0,
            code: 'unreadable',
          }
        : line
    desk.readAs = unread
    desk.publish({ lines, trailer: { gross: 1_978, fees: 20, net: 1_958 } })
    await desk.ingest()
    const before = await lastFile()
    expect(await reasonsIn(before?.id)).toHaveLength(3)
    await desk.ingest()
    expect(await lastFile()).toEqual(before)

    desk.readAs = (line) => {
      if (line.code === 'newest') return unread(line)
      return line.kind === 'other' ? null : line
    }
    await desk.ingest()
    await desk.ingest()

    const after = await lastFile()
    expect(after).toEqual({ ...before, unmatched_count: 1 })
    expect(await reasonsIn(after?.id)).toEqual([{ line_number: 5, because: 'unreadable' }])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    expect((await till.get(other.id)).settled_amount).toBe(1_000)
    const [report] = (await service.send('GET /payment-service-reports?limit=1')).json().items
    expect(report.files[0]).toMatchObject({
      line_count: 4,
      gross_amount: 1_998,
      fee_amount: 40,
      net_amount: 1_958,
    })

    desk.readAs = (line) => line
    const reads = desk.reads.length
    await desk.ingest()
    await desk.ingest()
    expect(await reasonsIn(after?.id)).toEqual([])
    // Once all is read, the file is not asked for any more.
    expect(desk.reads.length).toBe(reads + 1)
  })

  describe('two batches in a row', () => {
    test('that tell of the same movement count it once', async () => {
      const paid = await capture()
      const line = { id: `in both ${paid.reference}`, reference: paid.reference, amount: 1_000 }
      desk.publish({ lines: [line, ...filling(499), line, ...filling(99)] })

      await desk.ingest()

      const file = await lastFile()
      expect(file).toMatchObject({ status: 'applied', lines_done: 600 })
      expect(await reasonsIn(file?.id)).toEqual([{ line_number: 502, because: 'duplicate' }])
      expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    })

    test('of which the second corrects the first are both on record', async () => {
      const paid = await capture()
      const id = `corrected ${paid.reference}`
      desk.publish({
        lines: [
          { id, reference: 'mistyped', amount: 1_000 },
          ...filling(499),
          { id, reference: paid.reference, amount: 1_000 },
        ],
      })

      await desk.ingest()

      const file = await lastFile()
      expect(await reasonsIn(file?.id)).toEqual([{ line_number: 2, because: 'duplicate' }])
      expect(file).toMatchObject({ unmatched_count: 0 })
      expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    })

    test('that tell of the chargeback of one notification add their figures once', async () => {
      const paid = await capture()
      const id = `told ${paid.reference}`
      const scope: Scope = { ...service.context, merchantAccountId: 'default' }
      await takeDispute(scope, service.engine, paid.serviceId, {
        about: 'chargeback',
        id,
        reference: paid.reference,
        attemptId: null,
        reconciliationId: null,
        amount: 1_000,
        currency: 'USD',
        code: null,
        reason: null,
        postedAt: service.context.clock(),
      })
      const line = {
        kind: 'chargeback',
        id,
        reference: paid.reference,
        amount: -1_000,
        commission: 7,
      } as const
      desk.publish({ lines: [line, ...filling(499), line] })

      await desk.ingest()

      const file = await lastFile()
      expect(file).toMatchObject({ status: 'applied', lines_done: 501 })
      expect(await reasonsIn(file?.id)).toEqual([{ line_number: 502, because: 'duplicate' }])
      const { items } = (await service.send(`GET /transactions/${paid.id}/chargebacks`)).json()
      expect(items).toMatchObject([{ commission: 7 }])
    })
  })

  describe('a line that fits no payment, in a file that is published again', () => {
    const due = async (id: string) => {
      const { rows } = await sql<{ because: string; due_at: Date | null }>`
      select unmatched_because as because, due_at from payment_service_report_lines
      where external_identifier = ${id} order by id
    `.execute(service.context.db)
      return rows
    }

    test('stays if it is the same, and is looked for as long as before', async () => {
      const id = crypto.randomUUID()
      const line = { id, reference: 'unheard of', amount: 1_000 }
      desk.publish({ lines: [line] })
      await desk.ingest()
      const before = await due(id)

      // The filling makes other bytes of it.
      desk.publish({ lines: [line, ...filling(1), line] })
      await desk.ingest()

      const again = { because: 'duplicate', due_at: null }
      expect(await due(id)).toEqual([...before, again, again])
      expect(before).toEqual([{ because: 'unknown_reference', due_at: expect.any(Date) }])
      expect(await lastFile()).toMatchObject({ status: 'applied', unmatched_count: 0 })
    })

    test.each([
      ['amount', { amount: 1_001 }],
      ['commission', { commission: 1 }],
      ['reference', { reference: 'unheard of as well' }],
      ['reference of ours', { ourReference: 'ours' }],
      ['amount that the buyer paid', { original: { amount: 1, currency: 'EUR' } }],
    ])('gives way to one with another %s, wherever that one is', async (_what, change) => {
      const id = crypto.randomUUID()
      const line = { id, reference: 'unheard of', amount: 1_000 }
      desk.publish({ lines: [line] })
      await desk.ingest()

      desk.publish({ lines: [line, { ...line, ...change }] })
      await desk.ingest()

      const reasons = (await due(id)).map(({ because }) => because)
      expect(reasons).toEqual(['duplicate', 'duplicate', 'unknown_reference'])
      expect(await lastFile()).toMatchObject({ status: 'applied', unmatched_count: 1 })
    })
  })

  describe('a file of four lines, of which two are applied, when its connector is upgraded', () => {
    const never = new AbortController().signal
    let scope: Scope
    let file: files.StoredFile
    beforeEach(async () => {
      scope = { ...service.context, merchantAccountId: 'default' }
      const { serviceId } = await capture()
      file = await inTransaction(scope, async (tx) =>
        files.insert(tx, {
          payment_service_id: serviceId,
          report_id: await reports.touch(tx, serviceId, crypto.randomUUID()),
          sha256: randomBytes(32).toString('hex'),
          size: '1',
          status: 'applying',
          problem: null,
          report_date: null,
          currency: 'USD',
          line_count: 4,
          gross_amount: '-4',
          fee_amount: '0',
          published_at: scope.clock(),
        }),
      )
      file = await applyFile(scope, file, entries(2, 3), AbortSignal.abort())
      expect(file).toMatchObject({ status: 'applying', lines_done: 2 })
    })

    async function* entries(...numbers: number[]) {
      for (const number of numbers) yield { ...NO_PAYMENT, number }
    }

    const applied = async () => {
      const { rows } = await sql<{ line_number: number }>`
      select line_number from payment_service_report_lines where file_id = ${file.id} order by line_number
    `.execute(scope.db)
      return rows.map((row) => row.line_number)
    }

    test('goes on behind the last line that is applied, though there are fewer before it', async () => {
      const after = await applyFile(scope, file, entries(3, 4, 5), never)

      expect(after).toMatchObject({ status: 'applied', lines_done: 4 })
      expect(await applied()).toEqual([2, 3, 4, 5])
    })

    test('goes on behind as many lines as are applied, if its lines may have been archived', async () => {
      await sql`delete from payment_service_report_lines where file_id = ${file.id}`.execute(scope.db)
      const created_at = new Date(scope.clock().getTime() - 180 * 86_400_000)

      const after = await applyFile(scope, { ...file, created_at }, entries(2, 3, 4, 5), never)

      expect(after).toMatchObject({ status: 'applied', lines_done: 4 })
      expect(await applied()).toEqual([4, 5])
    })

    test('fails if it ends too early, so that it is not taken again at once', async () => {
      const applying = applyFile(scope, file, entries(2, 3, 4), never)

      await expect(applying).rejects.toThrow('3 of 4 lines')
      expect(await applied()).toEqual([2, 3, 4])
    })

    test('stays as it is if it ends too early because the process stops', async () => {
      const after = await applyFile(scope, file, entries(2, 3, 4), AbortSignal.abort())

      expect(after).toMatchObject({ status: 'applying', lines_done: 3 })
    })
  })

  test.each([3, 503, 1_003])('a batch that the database aborts is repeated: at line %i', async (number) => {
    const { db } = service.context
    const paid = await capture(1_200)
    await sql`create sequence stumbles`.execute(db)
    await sql`
    create function stumble() returns trigger language plpgsql as $$ begin
      if new.line_number = ${sql.lit(number)} and nextval('stumbles') = 1 then
        raise exception 'stumbled' using errcode = 'deadlock_detected';
      end if;
      return new;
    end $$
  `.execute(db)
    await sql`create trigger stumble before insert on payment_service_report_lines
    for each row execute function stumble()`.execute(db)
    desk.publish({ lines: Array.from({ length: 1_200 }, () => ({ reference: paid.reference, amount: 1 })) })

    try {
      await desk.ingest()

      const { rows } = await sql<{ last_value: string }>`select last_value from stumbles`.execute(db)
      expect(Number(rows[0]?.last_value)).toBe(2)
    } finally {
      await sql`drop trigger stumble on payment_service_report_lines`.execute(db)
      await sql`drop function stumble`.execute(db)
      await sql`drop sequence stumbles`.execute(db)
    }
    expect(await lastFile()).toMatchObject({ status: 'applied', lines_done: 1_200, unmatched_count: 0 })
    expect((await till.get(paid.id)).settled_amount).toBe(1_200)
  })

  test.each([
    ['much', { metadata: { channel: 'web' }, buyer: { display_name: 'Ada', external_identifier: 'ada-1' } }],
    ['little', {}],
  ])(
    'the event of a settlement tells as much of a payment with %s about it as other events do',
    async (_what, about) => {
      const paid = await till.pay({ amount: 1_000, intent: 'capture', ...about })
      desk.publish({ lines: [{ reference: paid.payment_service_transaction_id as string, amount: 1_000 }] })

      await desk.ingest()

      const row = await transactions.find(
        { ...service.context, merchantAccountId: 'default' },
        paid.id as string,
      )
      if (!row) throw new Error('the payment is gone')
      const { rows } = await sql<{ target: object }>`
    select target from events where target_id = ${row.id} and name = 'transaction.settled'
  `.execute(service.context.db)
      expect(rows.map(({ target }) => target)).toEqual([
        { ...toTarget(row), settled: true, settled_amount: 1_000, settled_currency: 'USD', disputed: false },
      ])
    },
  )

  test('a payment that has its mark already is settled, too', async () => {
    const paid = await capture()
    await sql`
    insert into transaction_marks (merchant_account_id, mark, id) values ('default', ${markOf('settled')}, ${paid.id})
  `.execute(service.context.db)
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })

    await desk.ingest()

    expect(await lastFile()).toMatchObject({ status: 'applied', unmatched_count: 0 })
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })
})

describe('batches in turns', () => {
  /** Work that adds its name to the result before, and goes on when the test says so. */
  function step(name: string, seen: string[], failures = 0) {
    const gate = { toLock: Promise.withResolvers<void>(), toEnd: Promise.withResolvers<void>() }
    let tries = 0
    const work = async ({ hasLocks, before, isAlone }: Taking<string>) => {
      tries += 1
      const isFailing = tries <= failures
      seen.push(`${name} begins${isAlone ? ' alone' : ''}`)
      await gate.toLock.promise
      hasLocks()
      await gate.toEnd.promise
      if (isFailing) throw new Error(`${name} failed`)
      const result = `${await before()}${name}`
      seen.push(`${name} ends`)
      return result
    }
    return { ...gate, work }
  }

  test('a turn begins when the last one has its locks, and ends after it', async () => {
    const seen: string[] = []
    const [a, b] = [step('a', seen), step('b', seen)]
    const first = takeTurn(firstBatch(''), a.work)
    const second = canFollow(first).then(() => takeTurn(first, b.work).done)
    await setImmediate()
    expect(seen).toEqual(['a begins'])

    a.toLock.resolve()
    b.toLock.resolve()
    b.toEnd.resolve()
    await setImmediate()
    expect(seen).toEqual(['a begins', 'b begins'])
    a.toEnd.resolve()

    expect(await second).toBe('ab')
    expect(seen).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
  })

  test('if a turn fails, the next one gives up, and both are repeated alone, in their order', async () => {
    const seen: string[] = []
    const [a, b] = [step('a', seen, 1), step('b', seen)]
    for (const gate of [a.toLock, b.toLock, b.toEnd]) gate.resolve()
    const first = takeTurn(firstBatch(''), a.work)
    await canFollow(first)
    const second = takeTurn(first, b.work)
    a.toEnd.resolve()

    expect(await second.done).toBe('ab')
    expect(seen).toEqual(['a begins', 'b begins', 'a begins alone', 'a ends', 'b begins alone', 'b ends'])
  })

  test('behind a turn that fails before it has its locks, nothing begins until it was repeated', async () => {
    const first = takeTurn(firstBatch(''), async ({ isAlone }) => {
      if (!isAlone) throw new Error('failed early')
      await setImmediate()
      return 'a'
    })

    await canFollow(first)

    expect(await Promise.race([first.done, 'not yet'])).toBe('a')
  })

  test('a turn that fails twice fails all that follow', async () => {
    const seen: string[] = []
    const [a, b] = [step('a', seen, 2), step('b', seen)]
    for (const gate of [a.toLock, b.toLock, b.toEnd, a.toEnd]) gate.resolve()
    const first = takeTurn(firstBatch(''), a.work)
    const second = takeTurn(first, b.work)

    await expect(second.done).rejects.toThrow('a failed')
    await expect(first.done).rejects.toThrow('a failed')
    expect(seen).not.toContain('b ends')
  })
})
