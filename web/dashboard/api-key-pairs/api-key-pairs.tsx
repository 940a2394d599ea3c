import { KeyDetail } from './detail.tsx'
import { KeyList } from './list.tsx'

export const pages = { '/': KeyList, '/$id': KeyDetail }
