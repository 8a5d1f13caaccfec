#include "CPhoneNumbers.h"
