import type { TagGroup } from '#platform/reference/openapi.ts'

/** The resources of the API for readers: grouped, in the order in which a new reader needs them. */
export const TAG_GROUPS: readonly TagGroup[] = [
  {
    name: 'Payments',
    tags: [
      {
        name: 'Transactions',
        description:
          'A transaction is one payment: it is authorized, then captured, voided or refunded. Amounts are in the smallest unit of the currency.',
        guides: ['guide/transactions', 'guide/simulator', 'guide/three-d-secure'],
      },
      {
        name: 'Transactions: session',
        description: 'What a page needs to let the buyer approve a payment with the provider’s own script.',
        guides: ['guide/wallet-sessions'],
      },
      {
        name: 'Refunds',
        description: 'A refund returns captured money to the buyer, in whole or in part.',
        guides: ['guide/transactions'],
      },
      {
        name: 'Chargebacks',
        description: 'What buyers’ banks have taken back, until when it can be answered, and who has.',
        guides: ['guide/settlements'],
      },
      {
        name: 'Disputes',
        description:
          'How far the disputes of payments are, from the first question of a bank to the decision.',
        guides: ['guide/settlements'],
      },
      {
        name: 'Checkout sessions',
        description:
          'A checkout session lets a buyer’s browser enter a card without your servers seeing its number.',
        guides: ['guide/checkout-sessions'],
      },
      {
        name: 'Checkout sessions: page',
        description: 'A page of this service on which the buyer pays the order of a checkout session.',
        guides: ['guide/take-a-card'],
      },
      {
        name: 'Payment links',
        description: 'A payment link is an address that you send to a buyer, who pays there once.',
        guides: ['guide/payment-links'],
      },
      {
        name: 'Payment options',
        description: 'The ways to pay that a checkout can offer for a cart, in order.',
        guides: ['guide/checkout-sessions'],
      },
      {
        name: 'Flows',
        description:
          'Rules that decide about payments: which service takes them, whether the buyer is authenticated, what is declined, and what a checkout offers.',
        guides: ['guide/route-payments'],
      },
      {
        name: 'Payouts',
        description: 'A payout sends money to a card.',
        guides: ['guide/payouts'],
      },
    ],
  },
  {
    name: 'Buyers and how they pay',
    tags: [
      {
        name: 'Buyers',
        description: 'A buyer is a customer of a merchant account.',
        guides: ['guide/personal-data'],
      },
      { name: 'Buyers: shipping details', description: 'The addresses that a buyer’s orders are sent to.' },
      { name: 'Buyers: payment methods', description: 'The stored payment methods of one buyer.' },
      { name: 'Buyers: gift cards', description: 'The stored gift cards of one buyer.' },
      {
        name: 'Payment methods',
        description:
          'A payment method is a stored card, bank account or wallet. Its number is in the vault and never comes back.',
        guides: ['guide/payment-methods', 'guide/vault'],
      },
      {
        name: 'Payment methods: network tokens',
        description: 'A network token stands in for the number of a stored card at its scheme.',
        guides: ['guide/network-tokens'],
      },
      {
        name: 'Payment methods: payment service tokens',
        description: 'A payment service token stands in for a stored card at one payment service.',
        guides: ['guide/payment-methods'],
      },
      {
        name: 'Vault forward',
        description: 'Sends card data to servers that you name, without your own ever seeing it.',
        guides: ['guide/vault-forward', 'guide/vault-import', 'guide/vault-export'],
      },
      {
        name: 'Account updater',
        description: 'Looks up the new details of cards that were replaced.',
        guides: ['guide/payment-methods'],
      },
      {
        name: 'Gift cards',
        description: 'Gift cards are stored, activated, issued and asked for their balance.',
        guides: ['guide/gift-cards'],
      },
      {
        name: 'Digital wallets',
        description: 'Registers Apple Pay, Google Pay, Click to Pay and Paze for a merchant account.',
        guides: ['guide/digital-wallets'],
      },
      {
        name: 'Digital wallets: domains',
        description: 'The domains whose pages may show a wallet’s button.',
      },
      { name: 'Digital wallets: keys', description: 'The keys that open the tokens of a wallet.' },
      {
        name: 'Digital wallets: sessions',
        description: 'What a page or app needs to show a wallet’s sheet.',
        guides: ['guide/wallet-sessions'],
      },
    ],
  },
  {
    name: 'Providers',
    tags: [
      {
        name: 'Payment services',
        description: 'A payment service is a merchant account’s own account at a payment provider.',
        guides: ['guide/payment-services', 'guide/charge-a-real-card'],
      },
      {
        name: 'Payment service definitions',
        description: 'The payment providers that can be connected, and the fields that each needs.',
        guides: ['guide/payment-services'],
      },
      {
        name: 'Anti-fraud services',
        description: 'An anti-fraud service checks payments before they are authorized.',
        guides: ['guide/anti-fraud'],
      },
      {
        name: 'Anti-fraud service definitions',
        description: 'The anti-fraud providers that can be connected, and the fields that each needs.',
        guides: ['guide/anti-fraud'],
      },
      {
        name: '3-D Secure services',
        description: 'A 3-D Secure service asks issuers whether the buyer is the holder of the card.',
        guides: ['guide/three-d-secure'],
      },
      {
        name: '3-D Secure service definitions',
        description: 'The 3-D Secure servers that can be connected, and the fields that each needs.',
        guides: ['guide/three-d-secure'],
      },
      {
        name: 'Account updater services',
        description: 'An account updater service knows the new details of replaced cards.',
        guides: ['guide/payment-methods'],
      },
      {
        name: 'Account updater service definitions',
        description: 'The account updaters that can be connected, and the fields that each needs.',
        guides: ['guide/payment-methods'],
      },
      {
        name: 'Network token services',
        description: 'A network token service gives stored cards tokens of their schemes.',
        guides: ['guide/network-tokens'],
      },
      {
        name: 'Network token service definitions',
        description: 'The token services that can be connected, and the fields that each needs.',
        guides: ['guide/network-tokens'],
      },
      {
        name: 'Gift card services',
        description: 'A gift card service is a merchant account’s own account at a gift card provider.',
        guides: ['guide/gift-cards'],
      },
      {
        name: 'Gift card service definitions',
        description: 'The gift card providers that can be connected, and the fields that each needs.',
        guides: ['guide/gift-cards'],
      },
      {
        name: '3DS scenarios',
        description: 'In a sandbox, decides how the simulated 3-D Secure server answers.',
        guides: ['guide/three-d-secure'],
      },
    ],
  },
  {
    name: 'Events and reports',
    tags: [
      {
        name: 'Events',
        description: 'An event says what happened to a resource. Webhook subscriptions receive events.',
        guides: ['guide/events'],
      },
      {
        name: 'Webhook subscriptions',
        description: 'A webhook subscription is an address of yours that receives events, signed.',
        guides: ['guide/webhooks'],
      },
      {
        name: 'Webhook deliveries',
        description: 'A delivery is one event on its way to one subscription, with all of its attempts.',
        guides: ['guide/webhooks'],
      },
      {
        name: 'Reports',
        description: 'A report writes payments into a file, once or on a schedule.',
        guides: ['guide/reports'],
      },
      { name: 'Reports: executions', description: 'An execution is one file of a report.' },
      {
        name: 'Payment service reports',
        description: 'The settlement files of payment services, and what their lines were applied to.',
        guides: ['guide/settlements'],
      },
      {
        name: 'Metrics explorer',
        description: 'Counts and sums of payments, by time and by field.',
        guides: ['guide/metrics-explorer'],
      },
      {
        name: 'Monitoring',
        description: 'Watches rates of payments, and opens an incident when one leaves its bounds.',
        guides: ['guide/monitoring'],
      },
      {
        name: 'Attention',
        description:
          'What needs a person: reviews, payments without an outcome, events that were not delivered.',
        guides: ['guide/operate'],
      },
      {
        name: 'Audit logs',
        description: 'Who changed what, and when, in a chain that shows tampering.',
        guides: ['guide/operate'],
      },
      {
        name: 'API logs',
        description: 'What was asked of this API, by whom, and how it was answered.',
        guides: ['guide/requests'],
      },
    ],
  },
  {
    name: 'Cards and methods',
    tags: [
      {
        name: 'Card details',
        description: 'What the first digits of a card number tell about the card.',
        guides: ['guide/bins'],
      },
      { name: 'Card scheme definitions', description: 'The card schemes that are known, with their icons.' },
      {
        name: 'Payment method definitions',
        description: 'The methods of payment that are known, with their icons.',
      },
    ],
  },
  {
    name: 'Installation',
    tags: [
      {
        name: 'Merchant accounts',
        description: 'A merchant account is one shop, with data of its own.',
      },
      {
        name: 'Merchant accounts: 3DS configurations',
        description: 'The merchant’s details at each card scheme, for 3-D Secure.',
        guides: ['guide/three-d-secure'],
      },
      {
        name: 'Merchant accounts: theme',
        description: 'How the pages look on which buyers of the account pay.',
        guides: ['guide/take-a-card'],
      },
      {
        name: 'API key pairs',
        description: 'An API key pair signs the tokens of a client. We keep the public key alone.',
        guides: ['guide/authenticate'],
      },
      {
        name: 'Roles',
        description: 'A role is a set of scopes that a key or a user can have.',
        guides: ['guide/authenticate'],
      },
      {
        name: 'Saved views',
        description:
          'Filters and columns of a list that a user keeps under a name, alone or for the account.',
      },
      {
        name: 'Users',
        description: 'A user is a person who signs in to the dashboard.',
        guides: ['guide/dashboard', 'guide/users'],
      },
      {
        name: 'Sign-in',
        description: 'How users sign in and prove who they are. For pages of the dashboard.',
        guides: ['guide/users'],
      },
      {
        name: 'Sandbox',
        description:
          'Moves the clock of a sandbox, decides what happens to the next payment, and makes buyers dispute payments. Not there in production.',
        guides: ['guide/sandbox-clock'],
      },
    ],
  },
]

/** The guides that a new reader needs first, in order. */
export const FIRST_GUIDES: readonly string[] = [
  'guide/authenticate',
  'guide/transactions',
  'guide/clients',
  'guide/take-a-card',
  'guide/webhooks',
  'guide/dashboard',
  'guide/simulator',
  'guide/charge-a-real-card',
  'guide/requests',
  'guide/checkout-sessions',
  'guide/card-fields',
  'guide/three-d-secure',
  'guide/payment-links',
  'guide/payment-methods',
  'guide/network-tokens',
  'guide/vault-forward',
  'guide/vault-import',
  'guide/vault-export',
  'guide/digital-wallets',
  'guide/wallet-sessions',
  'guide/gift-cards',
  'guide/payouts',
  'guide/anti-fraud',
  'guide/route-payments',
  'guide/retries',
  'guide/payment-services',
  'guide/sandbox-clock',
  'guide/settlements',
  'guide/reports',
  'guide/events',
  'guide/metrics-explorer',
  'guide/monitoring',
  'guide/bins',
  'guide/deploy',
  'guide/settings',
  'guide/command-line',
  'guide/operate',
  'guide/users',
  'guide/vault',
  'guide/personal-data',
  'guide/high-availability',
  'guide/recover',
  'guide/scale',
  'guide/write-a-connector',
  'features',
  'errors',
  'connectors/methods',
]
