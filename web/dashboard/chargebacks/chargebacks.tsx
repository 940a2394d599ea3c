import { ChargebackDetail } from './detail.tsx'
import { ChargebackList } from './list.tsx'

export const pages = { '/': ChargebackList, '/$id': ChargebackDetail }
