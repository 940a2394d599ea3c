import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * The orders of the shop, in one file. A real shop has a database. What matters is the same there: an order is written
 * down before money is asked for, with the key that the request carries.
 */
export function openOrders(file) {
  const orders = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])

  function save() {
    writeFileSync(`${file}.new`, JSON.stringify([...orders]), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  return {
    find: (id) => orders.get(id),
    findByPayment: (transaction) => [...orders.values()].find((order) => order.transaction === transaction),
    /** Newest first. */
    list: () => [...orders.values()].reverse(),
    add(order) {
      const id = randomBytes(9).toString('base64url')
      orders.set(id, { ...order, id, tries: 1, state: 'open', refunded: 0 })
      save()
      return orders.get(id)
    },
    change(id, changes) {
      orders.set(id, { ...orders.get(id), ...changes })
      save()
      return orders.get(id)
    },
  }
}
