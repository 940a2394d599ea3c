import { RefundDetail } from './detail.tsx'
import { RefundList } from './list.tsx'

export const pages = { '/': RefundList, '/$id': RefundDetail }
