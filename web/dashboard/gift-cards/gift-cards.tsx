import './gift-cards.css'
import { GiftCardDetail } from './detail.tsx'
import { GiftCardList } from './list.tsx'

export const pages = { '/': GiftCardList, '/$id': GiftCardDetail }
