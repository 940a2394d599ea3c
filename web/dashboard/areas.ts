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

/** All areas, in the order of the navigation. README.md tells how to add one. */
export const AREAS: readonly Area[] = [
  {
    group: '',
    name: 'Home',
    icon: 'home',
    path: '/home',
    permission: 'users.me.read',
    pages: ['/'],
    load: () => import('./home/home.tsx'),
  },
  {
    group: 'Payments',
    name: 'Transactions',
    icon: 'transactions',
    path: '/transactions',
    permission: 'transactions.read',
    pages: ['/', '/$id'],
    load: () => import('./transactions/transactions.tsx'),
  },
  {
    group: 'Payments',
    name: 'Refunds',
    icon: 'refund',
    path: '/refunds',
    permission: 'transactions.read',
    pages: ['/', '/$id'],
    load: () => import('./refunds/refunds.tsx'),
  },
  {
    group: 'Payments',
    name: 'Chargebacks',
    icon: 'dispute',
    path: '/chargebacks',
    permission: 'transactions.read',
    pages: ['/', '/$id'],
    load: () => import('./chargebacks/chargebacks.tsx'),
  },
  {
    group: 'Payments',
    name: 'Settlements',
    icon: 'settlement',
    path: '/payment-service-reports',
    permission: 'payment-service-reports.read',
    pages: ['/', '/$id'],
    load: () => import('./payment-service-reports/payment-service-reports.tsx'),
  },
  {
    group: 'Payments',
    name: 'Payment links',
    icon: 'link',
    path: '/payment-links',
    permission: 'payment-links.read',
    pages: ['/', '/new', '/$id'],
    load: () => import('./payment-links/payment-links.tsx'),
  },
  {
    group: 'Payments',
    name: 'Payouts',
    icon: 'payout',
    path: '/payouts',
    permission: 'payouts.read',
    pages: ['/', '/new', '/new/$card', '/$id'],
    load: () => import('./payouts/payouts.tsx'),
  },
  {
    group: 'Customers',
    name: 'Buyers',
    icon: 'buyers',
    path: '/buyers',
    permission: 'buyers.read',
    pages: ['/', '/$id'],
    load: () => import('./buyers/buyers.tsx'),
  },
  {
    group: 'Customers',
    name: 'Payment methods',
    icon: 'card',
    path: '/payment-methods',
    permission: 'payment-methods.read',
    pages: ['/', '/$id'],
    load: () => import('./payment-methods/payment-methods.tsx'),
  },
  {
    group: 'Customers',
    name: 'Gift cards',
    icon: 'gift',
    path: '/gift-cards',
    permission: 'gift-cards.read',
    pages: ['/', '/$id'],
    load: () => import('./gift-cards/gift-cards.tsx'),
  },
  {
    group: 'Insight',
    name: 'Insights',
    icon: 'insight',
    path: '/insights',
    permission: 'metrics-explorer.read',
    pages: ['/'],
    load: () => import('./insights/insights.tsx'),
  },
  {
    group: 'Insight',
    name: 'Reports',
    icon: 'report',
    path: '/reports',
    permission: 'reports.read',
    pages: ['/', '/new', '/runs', '/$id'],
    load: () => import('./reports/reports.tsx'),
  },
  {
    group: 'Insight',
    name: 'Monitors',
    icon: 'monitor',
    path: '/monitoring',
    permission: 'monitoring.read',
    pages: ['/', '/new', '/incidents', '/incidents/$id', '/$id'],
    load: () => import('./monitoring/monitoring.tsx'),
  },
  {
    group: 'Connections',
    name: 'Payment services',
    icon: 'service',
    path: '/payment-services',
    permission: 'payment-services.read',
    pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
    load: () => import('./payment-services/payment-services.tsx'),
  },
  {
    group: 'Connections',
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
    group: 'Connections',
    name: 'Gift card services',
    icon: 'gift',
    path: '/gift-card-services',
    permission: 'gift-card-services.read',
    pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
    load: () => import('./gift-card-services/gift-card-services.tsx'),
  },
  {
    group: 'Connections',
    name: 'Anti-fraud services',
    icon: 'shield',
    path: '/anti-fraud-services',
    permission: 'anti-fraud-services.read',
    pages: ['/', '/new', '/new/$definition', '/$id', '/$id/edit'],
    load: () => import('./anti-fraud-services/anti-fraud-services.tsx'),
  },
  {
    group: 'Connections',
    name: 'Digital wallets',
    icon: 'wallet',
    path: '/digital-wallets',
    permission: 'digital-wallets.read',
    pages: ['/', '/$id'],
    load: () => import('./digital-wallets/digital-wallets.tsx'),
  },
  {
    group: 'Connections',
    name: '3DS scenarios',
    icon: 'check',
    path: '/three-ds-scenarios',
    permission: 'three-ds-scenarios.read',
    isForSandbox: true,
    pages: ['/'],
    load: () => import('./three-ds-scenarios/three-ds-scenarios.tsx'),
  },
  {
    group: 'Developers',
    name: 'Webhooks',
    icon: 'webhook',
    path: '/developers/webhooks',
    permission: 'webhook-deliveries.read',
    pages: ['/', '/$id', '/$id/deliveries/$delivery'],
    load: () => import('./webhook-subscriptions/webhook-subscriptions.tsx'),
  },
  {
    group: 'Developers',
    name: 'Events',
    icon: 'event',
    path: '/developers/events',
    permission: 'events.read',
    pages: ['/', '/$id'],
    load: () => import('./events/events.tsx'),
  },
  {
    group: 'Developers',
    name: 'API keys',
    icon: 'key',
    path: '/developers/keys',
    permission: 'api-key-pairs.read',
    pages: ['/', '/$id'],
    load: () => import('./api-key-pairs/api-key-pairs.tsx'),
  },
  {
    group: 'Developers',
    name: 'Request log',
    icon: 'log',
    path: '/developers/requests',
    permission: 'api-logs.read',
    pages: ['/', '/$id'],
    load: () => import('./api-logs/api-logs.tsx'),
  },
  {
    group: 'Developers',
    name: 'Sandbox',
    icon: 'sandbox',
    path: '/developers/sandbox',
    permission: 'sandbox.read',
    isForSandbox: true,
    pages: ['/'],
    load: () => import('./sandbox/sandbox.tsx'),
  },
  {
    group: 'Settings',
    name: 'Merchant accounts',
    icon: 'account',
    path: '/settings/accounts',
    permission: 'merchant-accounts.read',
    pages: ['/', '/$id'],
    load: () => import('./merchant-accounts/merchant-accounts.tsx'),
  },
  {
    group: 'Settings',
    name: 'Branding',
    icon: 'brand',
    path: '/settings/branding',
    permission: 'merchant-accounts.read',
    pages: ['/'],
    load: () => import('./theme/theme.tsx'),
  },
  {
    group: 'Settings',
    name: 'Users',
    icon: 'buyers',
    path: '/settings/users',
    permission: 'users.read',
    pages: ['/', '/$id'],
    load: () => import('./users/users.tsx'),
  },
  {
    group: 'Settings',
    name: 'Roles',
    icon: 'role',
    path: '/settings/roles',
    permission: 'roles.read',
    pages: ['/', '/new', '/$id', '/$id/edit'],
    load: () => import('./roles/roles.tsx'),
  },
  {
    group: 'Settings',
    name: 'Audit log',
    icon: 'log',
    path: '/settings/audit',
    permission: 'audit-logs.read',
    pages: ['/'],
    load: () => import('./audit-logs/audit-logs.tsx'),
  },
  {
    group: 'Settings',
    name: 'Payment pages',
    icon: 'shield',
    path: '/settings/pages',
    permission: 'merchant-accounts.read',
    pages: ['/'],
    load: () => import('./page-inventory/page-inventory.tsx'),
  },
  {
    group: null,
    name: 'Your settings',
    icon: 'person',
    path: '/me',
    permission: 'users.me.read',
    pages: ['/'],
    load: () => import('./me/me.tsx'),
  },
]

/** Where `/dashboard` leads. */
export const FIRST_PATH = '/home'

/** Pages without the frame: they are for people who have not signed in. */
export const DOORS = {
  paths: ['/setup', '/invitation', '/sign-in', '/oidc'],
  load: () => import('./sign-in/sign-in.tsx'),
} satisfies { readonly paths: readonly string[]; readonly load: Area['load'] }
