import { type Static, Type } from 'typebox'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { FlowRule } from '../schemas.ts'

const SUMMARY = {
  type: Kind('flow-version'),
  id: Uuid(),
  merchant_account_id: Type.String(),
  number: Type.Integer(),
  note: Type.String({ description: 'What the change was.' }),
  author: Strict({ id: Nullable(Uuid()), name: Type.String() }, { description: 'Who made the change.' }),
  rule_count: Type.Integer(),
  created_at: DateTime(),
}

const EXAMPLE = {
  type: 'flow-version',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
  merchant_account_id: 'default',
  number: 7,
  note: 'added Euros to the European acquirer',
  author: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0032', name: 'Mara Lind' },
  rule_count: 1,
  created_at: '2026-11-15T09:30:00.000Z',
}

export const FlowVersionSummary = Strict(SUMMARY, { title: 'FlowVersionSummary', examples: [EXAMPLE] })
export type FlowVersionSummary = Static<typeof FlowVersionSummary>

export const FlowVersions = CollectionOf(FlowVersionSummary, 'FlowVersions')

export const FlowVersion = Strict(
  {
    ...SUMMARY,
    rules: Type.Array(FlowRule, { description: 'As they were then. The warnings are of today.' }),
  },
  { title: 'FlowVersion', examples: [{ ...EXAMPLE, rules: [] }] },
)
export type FlowVersion = Static<typeof FlowVersion>

export const FlowVersionFilters = Strict({
  ...pageParameters(),
  number: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only the version with this number.' }),
  ),
})
export type FlowVersionFilters = Static<typeof FlowVersionFilters>

export const FlowVersionCreate = Strict(
  {
    restore: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version whose rules apply again.',
    }),
    based_on_version: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { title: 'FlowVersionCreate', examples: [{ restore: 3 }] },
)
export type FlowVersionCreate = Static<typeof FlowVersionCreate>
