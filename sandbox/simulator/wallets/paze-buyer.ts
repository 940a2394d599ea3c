import type { Body } from '../requests.ts'

const ADDRESS = {
  line1: '1 Main Street',
  line2: null,
  line3: null,
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  countryCode: 'US',
}
const CHANGE_URL = 'https://checkout.paze.simulator.invalid/change'

/** What the simulated buyer chose on Paze's page. */
export function reviewOf({ emailAddress, phoneNumber, isShipped }: Body, code: string): object {
  const mobileNumber = { countryCode: '1', phoneNumber: String(phoneNumber ?? '2175550123') }
  return {
    consumer: {
      firstName: 'Jane',
      lastName: 'Doe',
      fullName: 'Jane Doe',
      countryCode: 'US',
      languageCode: 'EN',
      emailAddress: String(emailAddress ?? 'jane.doe@example.com'),
      mobileNumber,
    },
    shippingAddress: isShipped
      ? {
          ...ADDRESS,
          deliveryContactDetails: { contactFullName: 'Jane Doe', contactPhoneNumber: mobileNumber },
        }
      : null,
    maskedCard: {
      panLastFour: '1111',
      paymentAccountReference: 'V0010013022298169667504231315',
      panExpirationMonth: '12',
      panExpirationYear: '2035',
      paymentCardDescriptor: 'Simulated bank',
      paymentCardType: 'CREDIT',
      paymentCardBrand: 'VISA',
      paymentCardNetwork: 'VISA',
      digitalCardData: {
        artUri: 'https://checkout.paze.simulator.invalid/card.png',
        artHeight: 105,
        artWidth: 164,
      },
      billingAddress: { name: 'Jane Doe', ...ADDRESS },
    },
    links: {
      CHANGE_CARD: `${CHANGE_URL}/card`,
      CHANGE_SHIPPING_ADDRESS: isShipped ? `${CHANGE_URL}/shipping-address` : null,
    },
    code,
  }
}
