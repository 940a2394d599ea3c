import { PayoutDetail } from './detail.tsx'
import { PayoutList } from './list.tsx'
import { NewPayout } from './new.tsx'

export const pages = { '/': PayoutList, '/new': NewPayout, '/new/$card': NewPayout, '/$id': PayoutDetail }
