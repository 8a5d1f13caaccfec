// SPDX-License-Identifier: GPL-3.0-or-later

// A C interface to libphonenumber, which is written in C++.

#include "CPhoneNumbers.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <phonenumbers/asyoutypeformatter.h>
#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::AsYouTypeFormatter;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

bool isNumber(const char *number) {
  const size_t length = strnlen(number, CPHONENUMBERS_LONGEST_NUMBER + 1);
  const size_t prefix = number[0] == '+' ? 1 : 0;
  return length <= CPHONENUMBERS_LONGEST_NUMBER
      && strspn(number + prefix, "0123456789") == length - prefix;
}

bool isRegion(const char *region) {
  return strnlen(region, 3) == 2 && strspn(region, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 2;
}

// All calls share one formatter, which has state.
std::mutex formatting;

// Returns the formatter of a region. It keeps the last one, because a formatter compiles the patterns of its region.
AsYouTypeFormatter &formatterFor(const char *region) {
  static std::string current;
  static std::unique_ptr<AsYouTypeFormatter> formatter;
  if (!formatter || current != region) {
    formatter.reset(PhoneNumberUtil::GetInstance()->GetAsYouTypeFormatter(region));
    current = region;
  }
  formatter->Clear();
  return *formatter;
}

// The digits before another country's code, as they come out before a number of such a country; none where they depend
// on the carrier, and a plus does for them.
std::string internationalPrefix(const PhoneNumberUtil &util, const char *region, int country) {
  PhoneNumber abroad;
  abroad.set_country_code(country == 1 ? 44 : 1);
  abroad.set_national_number(country == 1 ? 2079460958u : 2015550123u);
  std::string formatted, number;
  util.FormatOutOfCountryCallingNumber(abroad, region, &formatted);
  util.Format(abroad, PhoneNumberUtil::E164, &number);
  number.erase(0, 1);
  if (formatted.find('+') != std::string::npos) return "";
  formatted.erase(
      std::remove_if(formatted.begin(), formatted.end(), [](char c) { return c < '0' || c > '9'; }),
      formatted.end());
  if (formatted.size() <= number.size()) return "";
  const size_t length = formatted.size() - number.size();
  return formatted.compare(length, std::string::npos, number) == 0 ? formatted.substr(0, length) : "";
}

// The fewest digits that a number within the country can have; 0 if none is known.
int shortestNumber(const PhoneNumberUtil &util, int country) {
  PhoneNumber number;
  number.set_country_code(country);
  uint64_t digits = 2;
  for (int length = 1; length <= 17; length++, digits *= 10) {
    number.set_national_number(digits);
    if (util.IsPossibleNumberWithReason(number) == PhoneNumberUtil::IS_POSSIBLE) return length;
  }
  return 0;
}

// The fewest digits that ordinary numbers of the country have.
int usualNumber(const PhoneNumberUtil &util, const char *region) {
  int shortest = 0;
  for (const auto type : {PhoneNumberUtil::FIXED_LINE, PhoneNumberUtil::MOBILE}) {
    PhoneNumber number;
    if (!util.GetExampleNumberForType(region, type, &number)) continue;
    std::string digits;
    util.GetNationalSignificantNumber(number, &digits);
    const int length = static_cast<int>(digits.size());
    if (shortest == 0 || length < shortest) shortest = length;
  }
  return shortest;
}

bool copy(const std::string &text, char *room, size_t capacity) {
  if (text.size() >= capacity) return false;
  memcpy(room, text.c_str(), text.size() + 1);
  return true;
}

}  // namespace

int cphonenumbers_format(const char *number, const char *region, char *text, size_t capacity) {
  if (!number || !region || !text || !isNumber(number) || !isRegion(region)) return -1;
  try {
    const std::lock_guard<std::mutex> alone(formatting);
    AsYouTypeFormatter &formatter = formatterFor(region);
    std::string formatted;
    for (; *number; number++) formatter.InputDigit(static_cast<unsigned char>(*number), &formatted);
    if (formatted.size() >= capacity) return -1;
    memcpy(text, formatted.c_str(), formatted.size() + 1);
    return static_cast<int>(formatted.size());
  } catch (...) {
    return -1;
  }
}

int cphonenumbers_plan(const char *region, int numbers[3], char *trunk, char *international, size_t capacity) {
  if (!region || !numbers || !trunk || !international || !isRegion(region)) return -1;
  try {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    const int country = util.GetCountryCodeForRegion(region);
    const int shortest = country > 0 ? shortestNumber(util, country) : 0;
    if (shortest == 0) return -1;
    std::string prefix;
    util.GetNddPrefixForRegion(region, true, &prefix);
    numbers[0] = country;
    numbers[1] = shortest;
    numbers[2] = std::max(shortest, usualNumber(util, region));
    return copy(prefix, trunk, capacity)
            && copy(internationalPrefix(util, region, country), international, capacity)
        ? 0 : -1;
  } catch (...) {
    return -1;
  }
}
