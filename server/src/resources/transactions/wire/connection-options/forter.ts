import { Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { optional } from '../order.ts'
import { Flag, Options, Text } from './fields.ts'

const CartItemBasicItemData = Options('ForterAntiFraudOptionsCartItemBasicItemData', {
  type: Nullable(OneOf(['TANGIBLE', 'NON_TANGIBLE'])),
})

const CartItemDeliveryDetails = Options('ForterAntiFraudOptionsCartItemDeliveryDetails', {
  delivery_type: Nullable(OneOf(['DIGITAL', 'PHYSICAL', 'HYBRID'])),
  delivery_method: Text,
})

const CartItemBeneficiaryPersonalDetails = Options(
  'ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails',
  { first_name: Text, last_name: Text, email: Text },
)

const CartItemBeneficiaryAddress = Strict(
  {
    country: Type.String({ ...WRITTEN.country }),
    ...optional({ address1: Text, address2: Text, zip: Text, region: Text, company: Text, city: Text }),
  },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiaryAddress' },
)

const CartItemBeneficiaryPhone = Strict(
  { phone: Type.String() },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiaryPhone' },
)

const CartItemBeneficiaryComments = Options('ForterAntiFraudOptionsCartItemBeneficiaryComments', {
  user_comments_to_merchant: Text,
  message_to_beneficiary: Text,
  merchant_comments: Text,
})

const CartItemBeneficiary = Strict(
  {
    personal_details: CartItemBeneficiaryPersonalDetails,
    ...optional({
      address: Nullable(CartItemBeneficiaryAddress),
      phone: Nullable(Type.Array(CartItemBeneficiaryPhone)),
      comments: Nullable(CartItemBeneficiaryComments),
    }),
  },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiary' },
)

const CartItem = Options('ForterAntiFraudOptionsCartItem', {
  basic_item_data: Nullable(CartItemBasicItemData),
  delivery_details: Nullable(CartItemDeliveryDetails),
  beneficiaries: Nullable(Type.Array(CartItemBeneficiary)),
})

const DiscountCouponDiscountAmount = Options('ForterAntiFraudOptionsDiscountCouponDiscountAmount', {
  amount_usd: Text,
  amount_local_currency: Text,
  currency: Nullable(Type.String({ ...WRITTEN.currency })),
})

const Discount = Strict(
  {
    coupon_code_used: Type.String(),
    discount_type: Type.String(),
    ...optional({
      coupon_discount_amount: Nullable(DiscountCouponDiscountAmount),
      coupon_discount_percent: Text,
    }),
  },
  { title: 'ForterAntiFraudOptionsDiscount' },
)

export const ForterAntiFraudOptions = Options('ForterAntiFraudOptions', {
  delivery_type: Nullable(OneOf(['DIGITAL', 'PHYSICAL', 'HYBRID'])),
  delivery_method: Nullable(Type.String({ minLength: 1, maxLength: 50 })),
  is_guest_buyer: Flag,
  cart_items: Nullable(Type.Array(CartItem)),
  total_discount: Nullable(Discount),
})
