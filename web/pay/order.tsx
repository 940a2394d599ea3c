import type { Desk } from './desk.ts'

/** Who asks for money, how much, and what for. */
export function OrderSummary({ desk: { order, words, money } }: { readonly desk: Desk }) {
  const { merchant, cart } = order
  return (
    <header class="order">
      <div>
        {merchant.banner_url && (
          <img class="banner" src={merchant.banner_url} alt="" referrerpolicy="no-referrer" />
        )}
        <p class="merchant">
          {merchant.logo_url ? (
            <img src={merchant.logo_url} alt="" />
          ) : (
            <span class="initial" aria-hidden="true">
              {Array.from(merchant.name)[0]}
            </span>
          )}
          <bdi>{merchant.name}</bdi>
        </p>
        <p class="sum number">
          <span class="visually-hidden">{words.total}: </span>
          <bdi>{money(order.amount)}</bdi>
        </p>
        {merchant.message && (
          <p class="message">
            <bdi>{merchant.message}</bdi>
          </p>
        )}
        {cart.length > 0 && (
          <details open={!isNarrow()}>
            <summary>{words.order}</summary>
            <ul>
              {cart.map((line) => (
                <li key={line}>
                  <span>
                    <bdi>{line.name}</bdi>
                    {line.quantity > 1 && <small class="number"> × {line.quantity}</small>}
                  </span>
                  <b class="number">{money(line.total)}</b>
                </li>
              ))}
              <li class="total">
                <span>{words.total}</span>
                <b class="number">{money(order.amount)}</b>
              </li>
            </ul>
          </details>
        )}
      </div>
    </header>
  )
}

/** On a phone the form is what the buyer came for, so the lines wait folded up. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 59.99rem)').matches
}
