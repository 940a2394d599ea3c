import type pg from 'pg'
import { inTransaction } from './office.ts'

/** Each query finds rows that are wrong. `about` names them. */
const CHECKS: readonly { readonly problem: string; readonly sql: string }[] = [
  {
    problem: 'does not have the balance that its entries add up to',
    sql: `with moves as (
        select debit_account as id, -amount as amount from issuer.entries
        union all select credit_account, amount from issuer.entries
      ), sums as (select id, sum(amount) as amount from moves group by id)
      select a.id as about from issuer.accounts a left join sums s using (id)
      where a.balance is not null and a.balance <> coalesce(s.amount, 0)`,
  },
  {
    problem:
      'has cards whose balances are not what was sold and refunded, less what was redeemed and expired',
    sql: `with moves as (
        select debit_account as id, -amount as amount from issuer.entries
        union all select credit_account, amount from issuer.entries
      ), totals as (
        select a.program_id, a.currency, sum(coalesce(a.balance, m.amount)) as amount from issuer.accounts a
        left join (select id, sum(amount) as amount from moves group by id) m using (id)
        group by a.program_id, a.currency
      )
      select 'program ' || program_id || ' in ' || currency as about from totals where amount <> 0`,
  },
  {
    problem: 'is an entry between accounts that its operation does not move value between',
    sql: `select 'operation ' || e.operation_id as about
      from issuer.entries e
      join issuer.operations o on o.id = e.operation_id
      join issuer.accounts d on d.id = e.debit_account
      join issuer.accounts c on c.id = e.credit_account
      where (o.operation, d.kind, c.kind) not in (
          ('issue', 'sold', 'card'), ('activate', 'sold', 'card'), ('load', 'sold', 'card'),
          ('hold', 'card', 'hold'), ('release', 'hold', 'card'),
          ('redeem', 'card', 'redeemed'), ('redeem', 'hold', 'redeemed'),
          ('refund', 'refunded', 'card'), ('reverse', 'redeemed', 'card'), ('expire', 'card', 'expired')
        )
        or o.status <> 'approved' or e.amount <> coalesce(o.amount, e.amount)
        or d.currency <> c.currency or d.program_id <> c.program_id or o.program_id <> d.program_id
        or o.card_id <> coalesce(d.card_id, c.card_id) or d.card_id <> c.card_id`,
  },
  {
    problem: 'was approved and has left no entry',
    sql: `select o.operation || ' ' || o.id as about from issuer.operations o
      where o.status = 'approved' and (o.amount > 0 or o.operation = 'release') and o.card_id is not null
        and not exists (select from issuer.entries e where e.operation_id = o.id)`,
  },
  {
    problem: 'says that something else was given back of it than was refunded and reversed',
    sql: `with given as (
        select o.target_id, sum(e.amount) as amount from issuer.operations o
        join issuer.entries e on e.operation_id = o.id
        where o.operation in ('refund', 'reverse')
        group by o.target_id
      )
      select 'redemption ' || r.id as about from issuer.operations r left join given g on g.target_id = r.id
      where r.operation = 'redeem' and r.given_back <> coalesce(g.amount, 0)`,
  },
]

const FINDINGS_MAX = 20

/** Adds the ledger up. Returns a sentence for each problem. */
export function verifyLedger(pool: pg.Pool): Promise<readonly string[]> {
  return inTransaction(pool, async (tx) => {
    // All checks see one snapshot: money that moves meanwhile must not look like missing money.
    await tx.query('set transaction isolation level repeatable read, read only')
    // A ledger of many years takes longer to add up than a request may take.
    await tx.query('set local statement_timeout = 0')
    const findings: string[] = []
    for (const { problem, sql } of CHECKS) {
      const { rows } = await tx.query<{ about: string }>(`${sql} limit ${FINDINGS_MAX}`)
      findings.push(...rows.map(({ about }) => `${about} ${problem}`))
    }
    return findings
  })
}
