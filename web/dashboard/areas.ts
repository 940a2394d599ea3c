import type { ComponentType } from 'react'
import type { IconName } from './parts/controls.tsx'

/** The groups of the navigation, in order. The first has no name. */
export const GROUPS = [
  '',
  'Payments',
  'Customers',
  'Insight',
  'Connections',
  'Developers',
  'Settings',
] as const

/** A part of the dashboard: a folder, a line in the navigation, and pages below one path. */
export type Area = {
  /** Null: it is not in the navigation. */
  readonly group: (typeof GROUPS)[number] | null
  readonly name: string
  readonly icon: IconName
  /** Such as `/transactions`. */
  readonly path: string
  /** Shown only to those who have it. */
  readonly permission: string
  /** Shown only in a sandbox. */
  readonly isForSandbox?: boolean
  /** Below `path`: `/` is the area itself, `/$id` one thing of it. */
  readonly pages: readonly string[]
  /** Loads the pages when the area is opened: one component for each of `pages`. */
  readonly load: () => Promise<{ readonly pages: Readonly<Record<string, ComponentType>> }>
}

type Given = Omit<Area, 'group' | 'permission' | 'pages'> & Partial<Pick<Area, 'permission' | 'pages'>>

/** Most areas are a list and its details, for those who may read what the path is called after. */
function inGroup(group: Area['group'], areas: readonly Given[]): readonly Area[] {
  return areas.map((area) => ({
    group,
    permission: `${area.path.slice(1)}.read`,
    pages: ['/', '/$id'],
    ...area,
  }))
}

/** All areas, in the order of the navigation. README.md tells how to add one. */
export const AREAS: readonly Area[] = [
  ...inGroup('', [
    {
      name: 'Home',
      icon: 'home',
      path: '/home',
      permission: 'users.me.read',
      pages: ['/'],
      load: () => import('./home/home.tsx'),
    },
  ]),
  ...inGroup('Payments', [
    {
      name: 'Transactions',
      icon: 'transactions',
      path: '/transactions',
      load: () => import('./transactions/transactions.tsx'),
    },
    {
      name: 'Refunds',
      icon: 'refund',
      path: '/refunds',
      permission: 'transactions.read',
      load: () => import('./refunds/refunds.tsx'),
    },
    {
      name: 'Chargebacks',
      icon: 'dispute',
      path: '/chargebacks',
      permission: 'transactions.read',
      load: () => import('./chargebacks/chargebacks.tsx'),
    },
    {
      name: 'Disputes',
      icon: 'dispute',
      path: '/disputes',
      permission: 'transactions.read',
      load: () => import('./disputes/disputes.tsx'),
    },
    {
      name: 'Settlements',
      icon: 'settlement',
      path: '/payment-service-reports',
      pages: ['/', '/totals', '/$id'],
      load: () => import('./payment-service-reports/payment-service-reports.tsx'),
    },
    {
      name: 'Payment links',
      icon: 'link',
      path: '/payment-links',
      pages: ['/', '/new', '/$id'],
      load: () => import('./payment-links/payment-links.tsx'),
    },
    {
      name: 'Payouts',
      icon: 'payout',
      path: '/payouts',
      pages: ['/', '/new', '/new/$card', '/$id'],
      load: () => import('./payouts/payouts.tsx'),
    },
  ]),
  ...inGroup('Customers', [
    {
      name: 'Buyers',
      icon: 'buyers',
      path: '/buyers',
      load: () => import('./buyers/buyers.tsx'),
    },
    {
      name: 'Payment methods',
      icon: 'card',
      path: '/payment-methods',
      load: () => import('./payment-methods/payment-methods.tsx'),
    },
    {
      name: 'Gift cards',
      icon: 'gift',
      path: '/gift-cards',
      load: () => import('./gift-cards/gift-cards.tsx'),
    },
  ]),
  ...inGroup('Insight', [
    {
      name: 'Insights',
      icon: 'insight',
      path: '/insights',
      permission: 'metrics-explorer.read',
      pages: ['/'],
      load: () => import('./insights/insights.tsx'),
    },
    {
      name: 'Reports',
      icon: 'report',
      path: '/reports',
      pages: ['/', '/new', '/runs', '/$id'],
      load: () => import('./reports/reports.tsx'),
    },
    {
      name: 'Monitors',
      icon: 'monitor',
      path: '/monitoring',
      pages: ['/', '/new', '/incidents', '/incidents/$id', '/$id'],
      load: () => import('./monitoring/monitoring.tsx'),
    },
  ]),
  ...inGroup('Connections', [
    {
      name: 'Payment services',
      icon: 'service',
      path: '/payment-services',
      pages: ['/', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./payment-services/payment-services.tsx'),
    },
    {
      name: 'Ways to pay',
      icon: 'card',
      path: '/payment-service-definitions',
      pages: ['/'],
      load: () => import('./payment-service-definitions/payment-service-definitions.tsx'),
    },
    {
      name: 'Routing',
      icon: 'routing',
      path: '/routing',
      permission: 'flows.read',
      pages: [
        '/',
        '/try',
        '/health',
        '/back-tests',
        '/back-tests/$id',
        '/history',
        '/history/$number',
        '/$flow/$action/new',
        '/$flow/$action/$id',
      ],
      load: () => import('./flows/flows.tsx'),
    },
    {
      name: 'Gift card services',
      icon: 'gift',
      path: '/gift-card-services',
      pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./gift-card-services/gift-card-services.tsx'),
    },
    {
      name: 'Anti-fraud services',
      icon: 'shield',
      path: '/anti-fraud-services',
      pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./anti-fraud-services/anti-fraud-services.tsx'),
    },
    {
      name: '3-D Secure services',
      icon: 'check',
      path: '/three-ds-services',
      pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./three-ds-services/three-ds-services.tsx'),
    },
    {
      name: 'Account updater services',
      icon: 'card',
      path: '/account-updater-services',
      pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./account-updater-services/account-updater-services.tsx'),
    },
    {
      name: 'Network token services',
      icon: 'key',
      path: '/network-token-services',
      pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
      load: () => import('./network-token-services/network-token-services.tsx'),
    },
    {
      name: 'Digital wallets',
      icon: 'wallet',
      path: '/digital-wallets',
      load: () => import('./digital-wallets/digital-wallets.tsx'),
    },
    {
      name: 'Card forwarding',
      icon: 'shield',
      path: '/vault-forward',
      permission: 'vault-forward-configs.read',
      pages: ['/'],
      load: () => import('./vault-forward/vault-forward.tsx'),
    },
    {
      name: '3DS scenarios',
      icon: 'check',
      path: '/three-ds-scenarios',
      isForSandbox: true,
      pages: ['/'],
      load: () => import('./three-ds-scenarios/three-ds-scenarios.tsx'),
    },
  ]),
  ...inGroup('Developers', [
    {
      name: 'Webhooks',
      icon: 'webhook',
      path: '/developers/webhooks',
      permission: 'webhook-deliveries.read',
      pages: ['/', '/$id', '/$id/deliveries/$delivery'],
      load: () => import('./webhook-subscriptions/webhook-subscriptions.tsx'),
    },
    {
      name: 'Events',
      icon: 'event',
      path: '/developers/events',
      permission: 'events.read',
      load: () => import('./events/events.tsx'),
    },
    {
      name: 'API keys',
      icon: 'key',
      path: '/developers/keys',
      permission: 'api-key-pairs.read',
      load: () => import('./api-key-pairs/api-key-pairs.tsx'),
    },
    {
      name: 'Request log',
      icon: 'log',
      path: '/developers/requests',
      permission: 'api-logs.read',
      load: () => import('./api-logs/api-logs.tsx'),
    },
    {
      name: 'Sandbox',
      icon: 'sandbox',
      path: '/developers/sandbox',
      permission: 'sandbox.read',
      isForSandbox: true,
      pages: ['/'],
      load: () => import('./sandbox/sandbox.tsx'),
    },
  ]),
  ...inGroup('Settings', [
    {
      name: 'Merchant accounts',
      icon: 'account',
      path: '/settings/accounts',
      permission: 'merchant-accounts.read',
      load: () => import('./merchant-accounts/merchant-accounts.tsx'),
    },
    {
      name: 'Branding',
      icon: 'brand',
      path: '/settings/branding',
      permission: 'merchant-accounts.read',
      pages: ['/'],
      load: () => import('./theme/theme.tsx'),
    },
    {
      name: 'Users',
      icon: 'buyers',
      path: '/settings/users',
      permission: 'users.read',
      load: () => import('./users/users.tsx'),
    },
    {
      name: 'Roles',
      icon: 'role',
      path: '/settings/roles',
      permission: 'roles.read',
      pages: ['/', '/new', '/$id', '/$id/edit'],
      load: () => import('./roles/roles.tsx'),
    },
    {
      name: 'Audit log',
      icon: 'log',
      path: '/settings/audit',
      permission: 'audit-logs.read',
      pages: ['/'],
      load: () => import('./audit-logs/audit-logs.tsx'),
    },
    {
      name: 'Payment pages',
      icon: 'shield',
      path: '/settings/pages',
      permission: 'merchant-accounts.read',
      pages: ['/'],
      load: () => import('./page-inventory/page-inventory.tsx'),
    },
  ]),
  ...inGroup(null, [
    {
      name: 'Your settings',
      icon: 'person',
      path: '/me',
      permission: 'users.me.read',
      pages: ['/'],
      load: () => import('./me/me.tsx'),
    },
  ]),
]

/** Where `/dashboard` leads. */
export const FIRST_PATH = '/home'

/** Pages without the frame: they are for people who have not signed in. */
export const DOORS = {
  paths: ['/setup', '/invitation', '/sign-in', '/oidc'],
  load: () => import('./sign-in/sign-in.tsx'),
} satisfies { readonly paths: readonly string[]; readonly load: Area['load'] }
