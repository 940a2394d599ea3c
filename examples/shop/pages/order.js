// Looks after the order until it is decided.
const { order, state } = document.querySelector('#order').dataset
const DECIDED = ['paid', 'voided']

for (let waited = 500; !DECIDED.includes(state); waited = Math.min(waited * 1.5, 10_000)) {
  await new Promise((resolve) => setTimeout(resolve, waited))
  const now = await fetch(`/orders/${order}/state`)
    .then((response) => response.json())
    .catch(() => ({ state }))
  if (now.state && now.state !== state) {
    location.reload()
    break
  }
}
