// The card form. The buyer types into frames of the payment server: this page never sees the card.
const form = document.querySelector('#pay')
const message = document.querySelector('#message')
const button = form.querySelector('button')
const { order, session, server } = form.dataset

const { cardForm } = await import(`${server}/fields.js`)
const card = cardForm({ session })
const styles = { color: 'CanvasText', fontSize: '16px' }
card.mount('number', '#number', { label: 'Card number', styles })
card.mount('expiryDate', '#expiry', { label: 'Expiry date', placeholder: 'MM / YY', styles })
card.mount('securityCode', '#code', { label: 'Security code', styles })
card.addEventListener('ready', () => {
  button.disabled = false
})

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  message.textContent = 'Paying…'
  try {
    await card.submit()
    goOn(await ask('POST', 'pay'))
  } catch (error) {
    // The answer may be lost while the payment was made. The shop's server finds out.
    const found = await ask('GET', 'state').catch(() => ({ state: 'open' }))
    if (!['open', 'declined'].includes(found.state)) return goOn(found)
    message.textContent = error.message
    button.disabled = false
  }
})

async function ask(method, what) {
  const response = await fetch(`/orders/${order}/${what}`, { method })
  const answer = await response.json()
  if (answer.error) throw new Error(answer.error)
  return answer
}

function goOn({ state, approvalUrl }) {
  if (state === 'approval') location.assign(approvalUrl)
  else location.reload()
}
