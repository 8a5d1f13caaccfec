// SPDX-License-Identifier: GPL-3.0-or-later

// libphonenumber is C++: this is the one function of it that the phone needs, as C.

#include "CPhoneNumbers.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <phonenumbers/asyoutypeformatter.h>
#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::AsYouTypeFormatter;
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

// One formatter serves all calls, and it keeps state.
std::mutex formatting;

// The formatter of the region asked for last: it compiles the region's patterns once, and a phone has one region.
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
