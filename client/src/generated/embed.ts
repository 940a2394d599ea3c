// Made by tools/client.ts. Do not edit.

import * as buyers from './buyers.ts'
import * as cardDetails from './card-details.ts'
import * as checkout from './checkout.ts'
import * as digitalWallets from './digital-wallets.ts'
import * as giftCards from './gift-cards.ts'
import * as paymentMethods from './payment-methods.ts'
import * as paymentOptions from './payment-options.ts'
import * as transactions from './transactions.ts'

export const EMBED = {
  buyers: {
    paymentMethods: {
      list: buyers.paymentMethods.list,
    },
  },
  cardDetails: {
    get: cardDetails.get,
  },
  checkout: {
    sessions: {
      acquirer: {
        get: checkout.sessions.acquirer.get,
      },
      cardDetails: {
        get: checkout.sessions.cardDetails.get,
      },
      fields: {
        update: checkout.sessions.fields.update,
        set: checkout.sessions.fields.set,
      },
      page: {
        open: checkout.sessions.page.open,
      },
    },
  },
  digitalWallets: {
    apple: {
      session: {
        create: digitalWallets.apple.session.create,
      },
    },
    clickToPay: {
      session: {
        create: digitalWallets.clickToPay.session.create,
      },
    },
    google: {
      session: {
        create: digitalWallets.google.session.create,
      },
    },
    paze: {
      mobileSession: {
        create: digitalWallets.paze.mobileSession.create,
        review: digitalWallets.paze.mobileSession.review,
        complete: digitalWallets.paze.mobileSession.complete,
      },
      session: {
        create: digitalWallets.paze.session.create,
      },
    },
  },
  giftCards: {
    create: giftCards.create,
    activations: {
      create: giftCards.activations.create,
    },
    balances: {
      list: giftCards.balances.list,
    },
  },
  paymentMethods: {
    delete: paymentMethods.delete,
  },
  paymentOptions: {
    list: paymentOptions.list,
  },
  transactions: {
    create: transactions.create,
    session: {
      update: transactions.session.update,
    },
  },
}
